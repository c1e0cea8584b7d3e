import { expect, test } from '@jest/globals';
import { INFORMED_WORDS } from '../../../dashboard/appointments/one-appointment/informed-words.ts';
import { DESK_WORDS } from '../../../dashboard/support/desk-words.ts';
import { DELIVERY_WORDS } from '../../../dashboard/webhooks/deliveries/words.ts';
import { ENDPOINT_WORDS } from '../../../dashboard/webhooks/endpoints/words.ts';
import { WebhookDeliveryEntity } from '../../../db/entities/webhooks/webhook-delivery.entity.ts';
import { WebhookEndpointEntity } from '../../../db/entities/webhooks/webhook-endpoint.entity.ts';
import { anEndpoint, book, inHours } from '../../support/clinic.ts';
import { suiteDashboard } from '../../support/pages/dashboard-server.ts';
import type { Visitor } from '../../support/pages/visitor.ts';
import { anEventFor, attempted } from '../../webhooks/recorded-attempts.ts';

const MINUTE_MS = 60_000;
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * MINUTE_MS);

const dashboard = await suiteDashboard();
const { database, clinic } = dashboard;
const owner = await dashboard.person('ana');
const sofia = await dashboard.person('sofia');

const { tenantId } = clinic;
const { states, about } = ENDPOINT_WORDS.en;

let booked = 0;

interface History {
  endpointId: string;
  appointmentId: string;
  deliveryId: string;
}

/** An endpoint that gave these answers, a minute apart, the last one now, each to an event of its own. */
async function anEndpointThatAnswered(answers: readonly number[]): Promise<History> {
  await database.em().nativeUpdate(WebhookEndpointEntity, { tenantId }, { deletedAt: new Date() });
  const endpointId = await anEndpoint(database, tenantId);
  const errorOf = (status: number) => (status < 500 ? ('http_4xx' as const) : ('http_5xx' as const));
  for (const [at, status] of answers.entries()) {
    const startedAt = minutesAgo(answers.length - at);
    const delivery = await anEventFor(database, { tenantId, endpointId }, startedAt);
    await attempted(database, delivery, { number: 1, status, startedAt, errorClass: errorOf(status) });
  }
  booked += 1;
  const { id: appointmentId } = await book(database, clinic, { startsAt: inHours(24 + booked) });
  const own = await database.em().findOneOrFail(WebhookDeliveryEntity, { appointmentId, endpointId });
  const last = answers.at(-1) ?? 200;
  await attempted(database, own, { number: 1, status: last, errorClass: errorOf(last) });
  return { endpointId, appointmentId, deliveryId: own.id };
}

/** Everywhere that says how the endpoint is. */
const PAGES: [string, () => Visitor, (history: History) => string][] = [
  ['the first page', () => owner, () => '/'],
  ['the list of endpoints', () => owner, () => '/integrations/endpoints'],
  ['the endpoint’s page', () => owner, ({ endpointId }) => `/integrations/endpoints/${endpointId}`],
  ['the clinic’s page at the support desk', () => sofia, () => `/support/clinics/${tenantId}`],
];

test.each(PAGES)(
  'after an hour of 401, %s says that nothing is accepted and who must act',
  async (_, who, address) => {
    const history = await anEndpointThatAnswered(Array.from({ length: 60 }, () => 401));
    const { text } = await who().get(address(history));
    expect(text).toContain('Accepted 0 of 61 attempts in the last 24 hours.');
    expect(text).toMatch(/Last answer today at \d\d:\d\d( \w+)?: 401 · The endpoint rejected the event\./);
    expect(text).toContain(about.refusing);
    expect(text).not.toContain(about.active);
    expect(text).not.toContain(states.active);
  },
);

test('after an hour of 401, an appointment’s page no longer says that there is nothing to do', async () => {
  const { appointmentId, deliveryId } = await anEndpointThatAnswered(Array.from({ length: 60 }, () => 401));
  const { text } = await owner.get(`/appointments/${appointmentId}`);
  expect(text).toContain('does not accept events (the endpoint rejected the event, 401)');
  expect(text).toContain(INFORMED_WORDS.en.turns.refused);
  expect(text).not.toContain(INFORMED_WORDS.en.turns.ours);
  expect((await owner.get(`/integrations/deliveries/${deliveryId}`)).text).toContain(
    DELIVERY_WORDS.en.about.refused,
  );
  expect((await sofia.get(`/support/appointments/${appointmentId}`)).text).toContain(
    'but the team responsible for that system needs to fix the problem',
  );
});

test('after an hour of 401, the desk does not say that everything has arrived', async () => {
  await anEndpointThatAnswered(Array.from({ length: 60 }, () => 401));
  const { undelivered } = DESK_WORDS.en;
  for (const address of ['/support/given-up', `/support/clinics/${tenantId}`]) {
    const { text } = await sofia.get(address);
    expect(text).toContain(undelivered.noneYet);
    expect(text).not.toContain(undelivered.none);
  }
  const stuck = await sofia.get('/support/stuck');
  expect(stuck.text).toContain(states.refusing);
  expect(stuck.text).toContain('401 · The endpoint rejected the event');
  expect(stuck.text).toContain('Accepted 0 of 61 attempts');
});

test('an endpoint that fails now and then is not shown as one that refuses', async () => {
  const history = await anEndpointThatAnswered([...Array.from({ length: 20 }, () => 200), 429, 500]);
  for (const [, who, address] of PAGES)
    expect((await who().get(address(history))).text).not.toContain(about.refusing);
  const { text } = await owner.get(`/integrations/endpoints/${history.endpointId}`);
  expect(text).toContain('Accepted 20 of 23 attempts in the last 24 hours.');
});

test('an endpoint that accepts again is active at once, and one that is enabled is asked again first', async () => {
  const fixed = await anEndpointThatAnswered([401, 401, 401, 200]);
  const page = await owner.get(`/integrations/endpoints/${fixed.endpointId}`);
  expect(page.text).toContain(`${about.active} Accepted 2 of 5 attempts`);
  const enabled = await anEndpointThatAnswered([401, 401]);
  const { endpointId: id } = enabled;
  await database.em().nativeUpdate(WebhookEndpointEntity, { id }, { correctedAt: inHours(1) });
  expect((await owner.get('/integrations/endpoints')).text).not.toContain(about.refusing);
});
