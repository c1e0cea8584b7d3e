import { expect, test } from '@jest/globals';
import { uuidv7 } from 'uuidv7';
import { createPortalLink } from '../../commands/people/portal-links.ts';
import { allPages } from '../../dashboard/app.ts';
import { ApiKeyEntity } from '../../db/entities/api-key.entity.ts';
import { BusyBlockEntity } from '../../db/entities/busy-block.entity.ts';
import { CallEventEntity, type StoredCallEvent } from '../../db/entities/calls/call-event.entity.ts';
import { NpsResponseEntity } from '../../db/entities/nps-response.entity.ts';
import { PersonEntity } from '../../db/entities/people/person.entity.ts';
import { ProfessionalEntity } from '../../db/entities/professional.entity.ts';
import { ServiceTypeEntity } from '../../db/entities/service-type.entity.ts';
import { TenantEntity } from '../../db/entities/tenant.entity.ts';
import { TriageFormEntity } from '../../db/entities/triage-form.entity.ts';
import { WebhookEndpointEntity } from '../../db/entities/webhooks/webhook-endpoint.entity.ts';
import { WebhookDeliveryEntity } from '../../db/entities/webhooks/webhook-delivery.entity.ts';
import { sealRow } from '../../db/encryption/field-seal.ts';
import { aKey, anEndpoint, asOperator, book, change, inHours } from '../support/clinic.ts';
import { suiteDashboard } from '../support/pages/dashboard-server.ts';
import type { Visitor } from '../support/pages/visitor.ts';
import { aCall, phoneHash } from './calls/a-call.ts';

/** Each text of people, of which the digits would go to what stands beside it. */
const TEXTS = {
  patient: 'محمد 12',
  relative: 'علي 34',
  notes: 'ملاحظة 56',
  clinic: 'عيادة 78',
  professional: 'ליאה 90',
  service: 'فحص 21',
  specialty: 'اسنان 43',
  block: 'اجازة 65',
  endpoint: 'مستقبل 87',
  key: 'مفتاح 19',
  person: 'سلمى 31',
  said: 'مرحبا 53',
  externalId: 'רשומה 75',
  comment: 'شكرا 97',
  answer: 'لاتكس 20',
  address: 'شارع 42',
  toolOutput: 'نتيجة 64',
};
const PHONE = '+351961112223';
const SLUG = 'luz';

const dashboard = await suiteDashboard();
const { database, clinic, url } = dashboard;
const visitors = [await dashboard.person('ana'), await dashboard.person('sofia')];
const ids = await aClinicOfTexts();
visitors.push(await aPartner());

async function aClinicOfTexts(): Promise<Record<string, string>> {
  const { tenantId, serviceTypeId } = clinic;
  const em = database.em();
  const open = { publicSlug: SLUG, publicBookingEnabled: true, config: { timezone: 'Europe/Lisbon' } };
  await em.nativeUpdate(
    TenantEntity,
    { id: tenantId },
    { name: TEXTS.clinic, address: TEXTS.address, city: 'Lisboa', ...open },
  );
  await em.nativeUpdate(
    ProfessionalEntity,
    { tenantId },
    { name: TEXTS.professional, specialty: TEXTS.specialty },
  );
  await em.nativeUpdate(ServiceTypeEntity, { tenantId }, { name: TEXTS.service });
  await em.nativeUpdate(PersonEntity, {}, { name: TEXTS.person });
  const endpoint = await anEndpoint(database, tenantId);
  await em.nativeUpdate(WebhookEndpointEntity, { id: endpoint }, { description: TEXTS.endpoint });
  await aKey(database, tenantId);
  await em.nativeUpdate(ApiKeyEntity, { tenantId }, { name: TEXTS.key });
  const key = await em.findOneOrFail(ApiKeyEntity, { tenantId });
  const patientPhoneHash = phoneHash({ tenantId, e164: PHONE });
  const patient = { patientName: TEXTS.patient, patientNotes: TEXTS.notes, patientPhoneHash };
  const call = await aCall(dashboard, { from: PHONE, outcome: 'voicemail' });
  const numbered = { externalId: TEXTS.externalId, patientExternalId: TEXTS.externalId };
  const { id: appointment } = await book(database, clinic, {
    ...patient,
    ...numbered,
    startsAt: inHours(0.5),
    callId: call,
  });
  const { id: later } = await book(database, clinic, { ...patient, startsAt: inHours(30) });
  const relative = { ...patient, patientName: TEXTS.relative };
  const byRita = {
    ...asOperator(),
    actor: `person:${(await em.findOneOrFail(PersonEntity, { tenantId })).id}`,
  };
  await change(database, clinic, later, { patientName: TEXTS.relative, startsAt: inHours(32) }, byRita);
  await book(database, clinic, { ...relative, startsAt: inHours(34) });
  const block = {
    id: uuidv7(),
    tenantId,
    externalId: 'b-1',
    professionalId: clinic.professionalIds[0] ?? '',
  };
  const times = { startsAt: inHours(30), endsAt: inHours(33), createdAt: new Date(), updatedAt: new Date() };
  await em.insert(
    BusyBlockEntity,
    await sealRow(em, 'busyBlock', { ...block, ...times, title: TEXTS.block }),
  );
  const said = {
    id: uuidv7(),
    tenantId,
    callId: call,
    sequence: 0,
    eventType: 'speech',
    speaker: null,
  } as const;
  const spoken = { ...said, transcript: TEXTS.said, toolName: null, toolInput: null, toolOutput: null };
  const done = { eventType: 'tool_result' as const, sequence: 1, toolName: 'find_times' };
  const used = { ...spoken, ...done, id: uuidv7(), transcript: null, toolOutput: { room: TEXTS.toolOutput } };
  for (const line of [spoken, used])
    await em.insert(
      CallEventEntity,
      await sealRow<StoredCallEvent>(em, 'callEvent', { ...line, occurredAt: new Date() }),
    );
  const answered = { tenantId, appointmentId: appointment, createdAt: new Date() };
  await em.insert(
    NpsResponseEntity,
    await sealRow(em, 'npsResponse', { ...answered, score: 9, comment: TEXTS.comment }),
  );
  const answers = { allergies: [TEXTS.answer, TEXTS.notes], since: TEXTS.answer };
  await em.insert(TriageFormEntity, await sealRow(em, 'triageForm', { ...answered, answers }));
  const delivery = await em.findOneOrFail(WebhookDeliveryEntity, { appointmentId: appointment });
  return {
    appointment,
    later,
    call,
    block: block.id,
    endpoint,
    key: key.id,
    delivery: delivery.id,
    tenantId,
    serviceTypeId,
  };
}

async function aPartner(): Promise<Visitor> {
  const input = { tenantId: clinic.tenantId, dashboardUrl: url };
  const link = await database.write((em) => createPortalLink(em, input, asOperator()));
  const partner = dashboard.stranger();
  await partner.get(link.url);
  await partner.submit(new URL(link.url).pathname);
  return partner;
}

/** Which of the ids belongs into the address of a page that begins so. */
const WHOSE: Record<string, string> = {
  '/appointments/': 'appointment',
  '/calls/': 'call',
  '/blocks/': 'block',
  '/integrations/keys/': 'key',
  '/integrations/endpoints/': 'endpoint',
  '/integrations/deliveries/': 'delivery',
  '/settings/services/': 'serviceTypeId',
  '/support/clinics/': 'tenantId',
  '/support/appointments/': 'appointment',
  '/support/endpoints/': 'endpoint',
  '/support/deliveries/': 'delivery',
};

function addresses(): string[] {
  const pages = allPages(dashboard.dependencies).filter(({ method }) => method === 'GET');
  const named = pages.map(({ path }) => {
    const beginning = Object.keys(WHOSE).find((each) => path.startsWith(each)) ?? '';
    return path.replaceAll(/:\w+/g, ids[WHOSE[beginning] ?? ''] ?? uuidv7());
  });
  const { appointment, call, later } = ids;
  const day = inHours(30).toISOString().slice(0, 10);
  return [
    ...named,
    '/appointments?view=list',
    `/appointments?day=${day}`,
    `/appointments/new?call=${call}`,
    `/appointments/new?again=${appointment}`,
    `/appointments/${later}`,
    `/settings/reads?appointment=${appointment}`,
  ];
}

const RIGHT_TO_LEFT = /[\u0590-\u08ff]/;
/** Their texts are read by programs, or have no tags. */
const WITHOUT_TAGS = ['title', 'option', 'textarea'];
const OF_PROGRAMS = ['code', 'pre', 'script'];

/** Texts of a page that could turn what stands beside them. */
function looseTexts(page: string): string[] {
  const loose: string[] = [];
  const open: string[] = [];
  for (const [token] of page.matchAll(/<(?:"[^"]*"|[^">])*>|[^<]+/g)) {
    const [, end, tag] = /^<(\/?)([a-z][\w-]*)/.exec(token) ?? [];
    if (tag !== undefined) {
      if (end) open.splice(open.lastIndexOf(tag));
      else if (!token.endsWith('/>')) open.push(tag);
      loose.push(...looseValues(token));
    } else if (RIGHT_TO_LEFT.test(token) && !OF_PROGRAMS.some((each) => open.includes(each))) {
      const within = open.at(-1) ?? '';
      const isFine = WITHOUT_TAGS.includes(within) ? isMarked(token) : within === 'bdi' && isOneText(token);
      if (!isFine) loose.push(`${within}: ${token.trim()}`);
    }
  }
  return loose;
}

/** Attributes of a tag, as it has them. */
function looseValues(tag: string): string[] {
  const attributes = [...tag.matchAll(/([\w-]+)="([^"]*)"/g)];
  return attributes.filter(([, name = '', value = '']) => !isValueFine(name, value)).map(([whole]) => whole);
}

function isValueFine(name: string, value: string): boolean {
  if (!/[\u0590-\u08ff\u2068]/.test(value)) return true;
  return ['value', 'href', 'action'].includes(name) ? !value.includes('\u2068') : isMarked(value);
}

function isOneText(text: string): boolean {
  return Object.values(TEXTS).includes(text.trim());
}

/** Alone, or each between marks. */
function isMarked(text: string): boolean {
  return isOneText(text) || !RIGHT_TO_LEFT.test(text.replaceAll(/\u2068[^\u2069]*\u2069/g, ''));
}

const seen = new Set<string>();

function note(page: string): void {
  for (const [field, text] of Object.entries(TEXTS)) if (page.includes(text)) seen.add(field);
}

async function looseAt(visitor: Visitor, address: string): Promise<string[]> {
  const { text, headers, status } = await visitor.get(`${dashboard.url}${address}`);
  if (!headers.get('content-type')?.startsWith('text/html')) return [];
  expect([address, status < 500]).toEqual([address, true]);
  note(text);
  return looseTexts(text).map((loose) => `${address} ${loose}`);
}

test.each(['en', 'pt'])(
  'no text of people turns what stands beside it, on any page in %s',
  async (language) => {
    const found: string[] = [];
    for (const visitor of visitors) {
      await visitor.get(`${dashboard.url}/`);
      await visitor.submit('/language', { language });
      for (const address of addresses()) found.push(...(await looseAt(visitor, address)));
    }
    const [owner, support] = visitors;
    for (const [visitor, form, field] of [[owner, '/patients', 'asked']] as const) {
      await visitor?.get(`${dashboard.url}/`);
      const page = await visitor?.submit(form, { [field]: TEXTS.patient });
      note(page?.text ?? '');
      found.push(...looseTexts(page?.text ?? '').map((loose) => `${form} ${loose}`));
    }
    await support?.get(`${dashboard.url}/support/appointments/${ids['appointment']}`);
    const shown = await support?.submit(`/support/appointments/${ids['appointment']}/patient`);
    found.push(...looseTexts(shown?.text ?? '').map((loose) => `support ${loose}`));
    expect([...new Set(found)]).toEqual([]);
  },
);

test('nor on the pages for patients', async () => {
  const patient = dashboard.stranger();
  const token = dashboard.dependencies.links.tokenOf(ids['later'] ?? '');
  const day = inHours(24 * 7)
    .toISOString()
    .slice(0, 10);
  const service = ids['serviceTypeId'];
  const found: string[] = [];
  for (const address of [
    `/book/${SLUG}`,
    `/book/${SLUG}?service=${service}&day=${day}`,
    `/book/${SLUG}/details?service=${service}&professional=&time=${inHours(24 * 7).toISOString()}/${dashboard.clinic.professionalIds[0]}`,
    `/book/a/${token}`,
    `/book/a/${token}/cancel`,
    `/book/a/${token}/move`,
  ])
    found.push(...(await looseAt(patient, address)));
  expect(found).toEqual([]);
});

test('every field was seen', () => {
  expect(Object.keys(TEXTS).filter((field) => !seen.has(field))).toEqual([]);
});
