import { describe, expect, test } from '@jest/globals';
import { INFORMED_WORDS } from '../../../dashboard/appointments/one-appointment/informed-words.ts';
import { ONE_APPOINTMENT_WORDS } from '../../../dashboard/appointments/appointment-words.ts';
import { APPOINTMENT_WORDS } from '../../../dashboard/appointments/words.ts';
import type { AppointmentRow } from '../../../db/entities/appointment.entity.ts';
import { NpsResponseEntity } from '../../../db/entities/nps-response.entity.ts';
import { TriageFormEntity } from '../../../db/entities/triage-form.entity.ts';
import { WebhookAttemptEntity } from '../../../db/entities/webhooks/webhook-attempt.entity.ts';
import {
  WebhookDeliveryEntity,
  type WebhookDeliveryRow,
} from '../../../db/entities/webhooks/webhook-delivery.entity.ts';
import { WebhookEndpointEntity } from '../../../db/entities/webhooks/webhook-endpoint.entity.ts';
import { APPOINTMENT_SOURCES } from '../../../domain/appointments/appointment-status.ts';
import { anEndpoint, book, change, inHours } from '../../support/clinic.ts';
import { suiteDashboard } from '../../support/pages/dashboard-server.ts';
import type { Visitor } from '../../support/pages/visitor.ts';
import { APPOINTMENT_STATES, sentences, statusWords, wordsOfActions } from './appointment-states.ts';

const dashboard = await suiteDashboard();
const rita = await dashboard.person('rita');

/** Each at a time of its own. */
let hours = 24 * 30;
function aBooked(changes: Parameters<typeof book>[2] = {}): Promise<AppointmentRow> {
  hours += 24;
  return book(dashboard.database, dashboard.clinic, { startsAt: inHours(hours), ...changes });
}

/** What is read on a page, without its frame. */
function readOn(text: string): string {
  return wordsOf(text.slice(text.indexOf('<main'), text.indexOf('</main>')));
}

function wordsOf(part: string): string {
  return part
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

describe.each(['en', 'pt'] as const)('the page of an appointment, in %s,', (language) => {
  const headers = { 'accept-language': language };

  test.each(Object.entries(APPOINTMENT_STATES))('agrees with itself: %s', async (_, state) => {
    const address = `/appointments/${await state.begin(dashboard)}`;
    const { text } = await rita.get(address, headers);
    const visit = /<section class="card visit">([\s\S]*?)<\/section>/.exec(text)?.[1] ?? '';
    const badges = [...visit.matchAll(/class="badge [^"]*">([^<]*)/g)].map(([, words]) => words);
    expect(badges).toEqual([statusWords(state, language)]);
    const offered = Object.entries(wordsOfActions(language)).filter(([, words]) =>
      words.some((each) => visit.includes(`>${each}<`)),
    );
    expect(offered.map(([action]) => action).toSorted()).toEqual([...state.offers].toSorted());
    const read = readOn(
      text.replaceAll(/<ol class="timeline"[\s\S]*?<\/ol>|<span class="badge[^>]*>[^<]*/g, ''),
    );
    const said = Object.entries(sentences(language)).filter(([, words]) => read.includes(words));
    expect(said.map(([name]) => name)).toEqual(state.says === null ? [] : [state.says]);
    expect(readOn(text)).not.toMatch(/evt_|appointment\.|[0-9a-f]{8}-[0-9a-f]{4}/);
  });

  test.each(APPOINTMENT_SOURCES)('says who booked it: %s', async (source) => {
    const { id } = await aBooked({ source });
    const { bookedBy } = ONE_APPOINTMENT_WORDS[language];
    const read = readOn((await rita.get(`/appointments/${id}`, headers)).text);
    expect(read).toContain(`${bookedBy} ${APPOINTMENT_WORDS[language].sources[source]}, `);
  });
});

describe('which other systems know of an appointment', () => {
  const informedOf = async (visitor: Visitor, id: string) =>
    /<div class="notice[\s\S]*?<\/ul>[^<]*/.exec((await visitor.get(`/appointments/${id}`)).text)?.[0] ?? '';
  const about = async (visitor: Visitor, id: string) => wordsOf(await informedOf(visitor, id));

  test('stands in one line, by name, with whose turn it is, for those alone who can do something', async () => {
    const { database, clinic } = dashboard;
    const [owner, untold] = [await dashboard.person('ana'), await aBooked()];
    expect(await about(rita, untold.id)).toBe('');
    const first = await anEndpoint(database, clinic.tenantId);
    const second = await anEndpoint(database, clinic.tenantId);
    await database.em().nativeUpdate(WebhookEndpointEntity, { id: first }, { description: 'Novigest' });
    const { id } = await aBooked();
    const stands = (endpointId: string, state: Partial<WebhookDeliveryRow>) =>
      database.em().nativeUpdate(WebhookDeliveryEntity, { appointmentId: id, endpointId }, state);
    expect(await about(rita, id)).toContain('Notifying other systems Novigest: sending now.');

    await stands(first, { status: 'succeeded', attemptCount: 1, nextAttemptAt: null });
    const soon = new Date(Date.now() + 245_000);
    await stands(second, { status: 'retrying', attemptCount: 1, nextAttemptAt: soon });
    const delivery = await database.em().findOneOrFail(WebhookDeliveryEntity, { endpointId: second });
    await database.em().insert(WebhookAttemptEntity, {
      deliveryId: delivery.id,
      tenantId: clinic.tenantId,
      number: 1,
      startedAt: new Date(),
      durationMs: 20,
      outcome: 'failed',
      errorClass: 'http_5xx',
      responseStatus: 503,
    });
    expect(await about(rita, id)).toMatch(
      /1 of 2 other systems notified Novigest ✓ receiver\.example: delivery failed \(the endpoint failed, 503\)\. Retrying in [34] minutes\. You don’t need to do anything\./,
    );

    await stands(second, { status: 'failed', nextAttemptAt: null });
    expect(await about(rita, id)).toMatch(
      /after six attempts \(the endpoint failed, 503\)\. An owner or manager/,
    );
    expect(await informedOf(rita, id)).not.toContain('/integrations/');
    expect(await about(owner, id)).toContain(INFORMED_WORDS.en.turns.receiver);
    expect(await informedOf(owner, id)).toContain(`/integrations/deliveries/${delivery.id}`);

    await stands(second, { status: 'skipped' });
    expect(await about(owner, id)).toContain(INFORMED_WORDS.en.turns.missed);
    await database.em().nativeUpdate(WebhookEndpointEntity, { id: second }, { status: 'deactivated' });
    expect(await about(owner, id)).toContain(
      'the endpoint is disabled, so “Appointment booked” was not sent',
    );

    await stands(second, { status: 'succeeded' });
    expect(await about(rita, id)).toMatch(/2 of 2 other systems notified Novigest ✓ receiver\.example ✓$/);
    expect((await owner.get(`/appointments/${id}`)).text).toContain('evt_');
    await database.em().nativeUpdate(WebhookEndpointEntity, {}, { deletedAt: new Date() });
  });
});

test('what a patient answered before a visit and said after it stands on its page, and stays with it when it is moved', async () => {
  const { id, startsAt } = await aBooked();
  const { tenantId } = dashboard.clinic;
  const own = { tenantId, appointmentId: id, createdAt: new Date() };
  const answers = { main_complaint: 'Toothache', severity: 7, isAfraid: true, teeth: ['upper', 'left'] };
  await dashboard.database.em().insert(TriageFormEntity, { ...own, answers });
  const later = { startsAt: new Date(startsAt.getTime() + 5 * 3_600_000) };
  const { replacement } = await change(dashboard.database, dashboard.clinic, id, later);
  const comment = 'Friendly <b>people</b>';
  await dashboard.database.em().insert(NpsResponseEntity, { ...own, score: 9, comment });
  const { text } = await rita.get(`/appointments/${replacement?.id}`);
  const read = readOn(text);
  for (const words of [
    'Main complaint Toothache',
    'Severity 7',
    'Is afraid yes',
    'Teeth upper, left',
    '9 out of 10',
  ])
    expect(read).toContain(words);
  expect(text).toContain('Friendly &lt;b&gt;people');
  const sofia = await dashboard.person('sofia');
  expect((await sofia.get(`/support/appointments/${id}`)).text).not.toMatch(/Toothache|Friendly/);
});
