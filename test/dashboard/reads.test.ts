import { expect, test } from '@jest/globals';
import { ERROR_WORDS } from '../../dashboard/layout/error-words.ts';
import { READ_WORDS } from '../../dashboard/patient-reads/words.ts';
import { DateTime } from 'luxon';
import { createPortalLink } from '../../commands/people/portal-links.ts';
import type { Reading } from '../../commands/patient-reads/read-recorder.ts';
import { allPages } from '../../dashboard/app.ts';
import { CallEventEntity } from '../../db/entities/calls/call-event.entity.ts';
import { WebhookDeliveryEntity } from '../../db/entities/webhooks/webhook-delivery.entity.ts';
import { aClinic, anEndpoint, asOperator, book, inHours } from '../support/clinic.ts';
import { suiteDashboard } from '../support/pages/dashboard-server.ts';
import { formOf, type VisitedPage } from '../support/pages/visitor.ts';
import { until } from '../support/until.ts';
import { aCall, phoneHash } from './calls/a-call.ts';

const NAME = 'Zulmira Zorro';
const PHONE = '+351961112223';
const READS = '/settings/reads';

let hour = 200;
/** What has been told to the log of reads, whether or not it was new. */
const told: Reading[] = [];

const dashboard = await suiteDashboard();
const { database, clinic } = dashboard;
const { reads } = dashboard.dependencies;
// Every telling counts here, also of what was shown a moment ago.
const { add } = reads;
reads.add = (reading) => {
  told.push(reading);
  add(reading);
};
await anEndpoint(database, clinic.tenantId);
const patientPhoneHash = phoneHash({ tenantId: clinic.tenantId, e164: PHONE });
const patient = { patientName: NAME, patientPhoneHash, startsAt: inHours(0.5) };
const { id: appointmentId } = await book(database, clinic, patient);
const callId = await aCall(dashboard, { from: PHONE, outcome: 'voicemail' });
await database.em().insert(CallEventEntity, {
  id: callId,
  tenantId: clinic.tenantId,
  callId,
  eventType: 'speech',
  sequence: 0,
  transcript: `This is ${NAME}`,
  toolName: null,
  toolInput: null,
  toolOutput: null,
  occurredAt: new Date(),
});
const owner = await dashboard.person('ana');

/** What stands on a page, and what of it was told. */
async function lookAt(address: string): Promise<{ page: VisitedPage; shown: Reading[] }> {
  const page = await owner.get(`${dashboard.url}${address}`);
  const requestId = page.headers.get('x-request-id');
  return { page, shown: told.filter((reading) => reading.requestId === requestId) };
}

/** Addresses of every page, with ids of what is there. */
async function allAddresses(): Promise<string[]> {
  const delivery = await dashboard.database.em().findOneOrFail(WebhookDeliveryEntity, { appointmentId });
  const there: [string, string][] = [
    ['/appointments', appointmentId],
    ['/calls', callId],
    ['/integrations/deliveries', delivery.id],
  ];
  const paths = allPages(dashboard.dependencies).filter(
    ({ method, may }) => method === 'GET' && may !== 'support',
  );
  const addresses = paths.flatMap(({ path }) => {
    const id = there.find(([beginning]) => path.startsWith(beginning))?.[1];
    if (path.includes('/:') && id === undefined) return [];
    return [path.replaceAll(/:\w+/g, id ?? '')];
  });
  const more = ['/appointments?view=list', `/appointments/new?again=${appointmentId}`];
  return [...addresses, ...more, `/appointments/new?call=${callId}`];
}

test('every page of a clinic on which a patient’s name or number stands says so to the log of reads', async () => {
  const silent: string[] = [];
  let named = 0;
  for (const address of await allAddresses()) {
    const { page, shown } = await lookAt(address);
    if (!page.text.includes('Zulmira') && !page.text.includes(PHONE)) continue;
    named += 1;
    if (!shown.some(({ ids }) => ids.includes(appointmentId) || ids.includes(callId))) silent.push(address);
  }
  expect(silent).toEqual([]);
  expect(named).toBeGreaterThan(9);
});

test('who looks for a patient is written down with whom they found', async () => {
  await owner.get(`${dashboard.url}/`);
  const page = await owner.submit('/patients', { asked: 'Zulmira' });
  expect(page.text).toContain(NAME);
  const shown = told.filter(({ requestId }) => requestId === page.headers.get('x-request-id'));
  expect(shown).toMatchObject([{ kind: 'appointment', ids: [appointmentId] }]);
});

test('owner and manager see who was shown what, without a name of a patient; reception does not', async () => {
  const rita = await dashboard.person('rita');
  await rita.get(`/appointments/${appointmentId}`);
  const miguel = await dashboard.person('miguel');
  await until('the entry', async () => (await miguel.get(READS)).text.includes('Rita Lopes'));
  for (const visitor of [owner, miguel]) {
    const { text } = await visitor.get(`${dashboard.url}${READS}`);
    for (const words of ['Rita Lopes', 'viewed appointments', `/appointments/${appointmentId}`])
      expect(text).toContain(words);
    expect(text).not.toContain('Zulmira');
  }
  expect((await rita.get(READS)).status).toBe(403);
});

test('an appointment leads to who has seen it, the support desk among them', async () => {
  const { id: other } = await book(database, clinic, { startsAt: inHours(40) });
  const sofia = await dashboard.person('sofia');
  const page = `/support/appointments/${other}`;
  await sofia.get(page);
  await sofia.submit(`${page}/patient`);
  const { text } = await owner.get(`${dashboard.url}/appointments/${other}`);
  expect(text).toContain(`${READS}?appointment=${other}`);
  const of = await until('both', async () => {
    const list = await owner.get(`${dashboard.url}${READS}?appointment=${other}`);
    return list.text.includes(READ_WORDS.en.actions['appointment.read']) && list;
  });
  expect(of.text).toContain(READ_WORDS.en.actions['support.patient_viewed']);
  expect(of.text).not.toContain(`/appointments/${appointmentId}`);
});

test('a portal link that shows a body is written down as the partner', async () => {
  const { database, clinic, url: dashboardUrl } = dashboard;
  const input = { tenantId: clinic.tenantId, dashboardUrl };
  const link = await database.write((em) => createPortalLink(em, input, asOperator()));
  const partner = dashboard.stranger();
  await partner.get(link.url);
  await partner.submit(new URL(link.url).pathname);
  const delivery = await database.em().findOneOrFail(WebhookDeliveryEntity, { appointmentId });
  await partner.get(`/integrations/deliveries/${delivery.id}`);
  const shown = told.filter(({ actor }) => actor.startsWith('portal:'));
  expect(shown).toMatchObject([{ kind: 'event', ids: [appointmentId] }]);
});

const notedOn = ({ headers }: VisitedPage) =>
  told.filter(({ requestId }) => requestId === headers.get('x-request-id'));

test('what the support desk finds by phone, external id or time is written down in the clinic of each', async () => {
  const other = await aClinic(database);
  const at = inHours(90);
  const visits = await Promise.all(
    [clinic, other].map((of) =>
      book(database, of, {
        patientPhoneHash: phoneHash({ tenantId: of.tenantId, e164: '+351961999888' }),
        patientExternalId: 'patient-of-the-desk',
        externalId: `visit-of-the-desk`,
        startsAt: at,
      }),
    ),
  );
  const sofia = await dashboard.person('sofia');
  const time = DateTime.fromJSDate(at).setZone('Europe/Lisbon').toFormat('d/M HH:mm');
  for (const asked of ['+351961999888', 'patient-of-the-desk', 'visit-of-the-desk', time]) {
    await sofia.get(`${dashboard.url}/support/stuck`);
    const page = await sofia.submit('/support', { asked });
    for (const { id, tenantId } of visits) {
      expect([asked, page.text.includes(`/support/appointments/${id}`)]).toEqual([asked, true]);
      expect([asked, notedOn(page)]).toEqual([
        asked,
        expect.arrayContaining([expect.objectContaining({ tenantId, ids: [id], kind: 'appointment' })]),
      ]);
    }
  }
});

test('a refused booking that shows the same appointment is recorded', async () => {
  const patientPhoneHash = phoneHash({ tenantId: clinic.tenantId, e164: '+351961555444' });
  const { id, startsAt, professionalId } = await book(database, clinic, {
    patientPhoneHash,
    patientName: 'Twice Booked',
    startsAt: inHours(100),
  });
  const address = '/appointments/new';
  const { text } = await owner.get(`${dashboard.url}${address}?service=${clinic.serviceTypeId}`);
  const fields = formOf(text, address, {
    service: clinic.serviceTypeId,
    step: 'book',
    patientName: 'Twice Booked',
    patientPhone: '+351961555444',
    time: `${startsAt.toISOString()}/${professionalId}`,
  });
  const refused = await owner.post(`${dashboard.url}${address}`, fields);
  expect(refused.text).toContain(ERROR_WORDS.en.codes.already_booked);
  expect(notedOn(refused).flatMap(({ ids }) => ids)).toContain(id);
});

const FILLED_IN: Record<string, string>[] = [
  {},
  { status: 'attended', version: '9' },
  { patientName: '', asked: NAME, step: 'times' },
];

/** Any of these may change what the others are about, so this comes last. */
test('every answer to a form on which the patient stands says so to the log of reads', async () => {
  const details = {
    patientName: NAME,
    patientPhoneHash: phoneHash({ tenantId: clinic.tenantId, e164: PHONE }),
  };
  const silent: string[] = [];
  let named = 0;
  const posts = allPages(dashboard.dependencies).filter(
    ({ method, may, path }) =>
      method === 'POST' && may !== 'support' && /appointments|patients|calls/.test(path),
  );
  for (const { path } of posts) {
    hour += 3;
    const { id } = await book(database, clinic, { ...details, startsAt: inHours(hour) });
    const visitor = await dashboard.person('ana');
    const { text } = await visitor.get(`${dashboard.url}/appointments/${id}`);
    const token = /name="form_token" value="([^"]*)"/.exec(text)?.[1] ?? '';
    const address = path.replaceAll(/:\w+/g, path.startsWith('/calls') ? callId : id);
    for (const fields of FILLED_IN) {
      const page = await visitor.post(`${dashboard.url}${address}`, { form_token: token, ...fields });
      if (!page.text.includes('Zulmira') && !page.text.includes(PHONE)) continue;
      named += 1;
      if (notedOn(page).every(({ ids }) => ids.length === 0))
        silent.push(`${path} ${JSON.stringify(fields)}`);
    }
  }
  expect(silent).toEqual([]);
  expect(named).toBeGreaterThan(5);
});
