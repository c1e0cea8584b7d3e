import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { AuditEventEntity } from '../../db/entities/audit-event.entity.ts';
import { ProfessionalEntity } from '../../db/entities/professional.entity.ts';
import { WebhookEndpointEntity } from '../../db/entities/webhooks/webhook-endpoint.entity.ts';
import { ConnectorProcess, TYPESCRIPT_CONNECTOR } from '../clients/connector-process.ts';
import { WatchedConnector } from '../../commands/vendor-check/watched-connector.ts';
import { inDirectory } from '../docs/languages.ts';
import { aClinic, anEndpoint, book } from '../support/clinic.ts';
import { attempted } from '../webhooks/recorded-attempts.ts';
import { TEST_ENCRYPTION_KEY } from '../support/sealing.ts';
import { suiteApi } from '../support/servers/api-server.ts';
import { aPullEndpoint, type PullEndpoint } from '../webhooks/queue/pull-endpoint.ts';
import { adminWith, type AdminRun } from './admin-runs.ts';
import { ScriptedDay, type Finding } from '../../commands/vendor-check/scripted-day.ts';
import type { QueuePage } from '../support/queue-reader.ts';

const api = await suiteApi();
const environment = {
  DATABASE_URL: api.databaseUrl,
  ENCRYPTION_KEY: TEST_ENCRYPTION_KEY.toString('base64'),
};
const admin = adminWith({ ...environment, SERVICE_MODE: 'test' });

interface Received {
  eventId: string;
  id: string;
  version: number;
}

/** What a connector does with an event; true: it writes the appointment. */
type Writes = (event: Received, seen: { events: Set<string>; versions: Map<string, number> }) => boolean;

const isNew: Writes = ({ id, version }, { versions }) => (versions.get(id) ?? 0) < version;

/** The appointments of a page with the events that they came in. */
function receivedIn({ items }: QueuePage): Received[] {
  return items.flatMap(({ event, headers }) => {
    const { data } = JSON.parse(event) as { data: Record<string, { id: string; version: number }> };
    const eventId = String(headers['X-Service-Event-Id']);
    const shown = [data['appointment'], data['original'], data['replacement']].filter(
      (each) => each !== undefined,
    );
    return shown.map(({ id, version }) => ({ eventId, id, version }));
  });
}

/** A connector that reads a queue and acknowledges what it writes, after so long. */
async function connectorOf(place: PullEndpoint, writes: Writes, workMs: number, leaving: AbortSignal) {
  const seen = { events: new Set<string>(), versions: new Map<string, number>() };
  let cursor: string | null = null;
  while (!leaving.aborted) {
    const page: QueuePage = await place.read({ waitSeconds: 1, ...(cursor && { cursor }) });
    ({ cursor } = page);
    const received = receivedIn(page);
    for (const each of received.filter((one) => writes(one, seen))) {
      await pause(workMs);
      const { id, version } = each;
      const body = { version, state: 'written' };
      await place.client.send('PUT', `/v1/appointments/${id}/acknowledgement`, { body });
      seen.versions.set(id, Math.max(version, seen.versions.get(id) ?? 0));
    }
    for (const { eventId } of received) seen.events.add(eventId);
  }
}

/** While such a connector reads the queue. */
async function besideConnector<T>(
  place: PullEndpoint,
  writes: Writes,
  work: () => Promise<T>,
  workMs = 0,
): Promise<T> {
  const leaving = new AbortController();
  const running = connectorOf(place, writes, workMs, leaving.signal);
  try {
    return await work();
  } finally {
    leaving.abort();
    await running;
  }
}

async function checked(writes: Writes, { workMs = 0, withinSeconds = 30 } = {}) {
  const place = await aPullEndpoint(api, { events: ['appointment.*'] });
  const words = ['vendor-check', '--tenant', place.tenantId, '--within-seconds', String(withinSeconds)];
  return besideConnector(place, writes, () => admin(...words), workMs);
}

function findingsOf({ stdout }: AdminRun): Finding[] {
  return (JSON.parse(stdout) as { items: Finding[] }).items;
}

test('the connector of the guide does everything right, and nothing of the check stays in the calendar', () =>
  inDirectory({}, async (directory) => {
    const { tenantId, client, key, endpointId } = await aPullEndpoint(api, { events: ['appointment.*'] });
    const settings = { API_URL: api.url, API_KEY: key, ENDPOINT_ID: endpointId };
    await using connector = await ConnectorProcess.at(directory, TYPESCRIPT_CONNECTOR, settings);
    await connector.start();
    const run = await admin('vendor-check', '--tenant', tenantId);
    expect(findingsOf(run).map(({ step, result }) => `${result}: ${step}`)).toEqual([
      'right: booking',
      'right: move: the original',
      'right: move: the replacement',
      'right: check-in',
      'right: second booking',
      'right: cancellation',
      'right: three changes at once',
      'right: repeat',
      'right: change of an appointment that it has not seen',
      'right: old event after a newer one',
      'right: missed booking after an outage',
      'right: missed cancellation after an outage',
      'right: speed',
    ]);
    expect(run.exitCode).toBe(0);
    const written = await api.database.em().find(AuditEventEntity, { tenantId });
    // Switched off and on, for the outage.
    expect(written.filter(({ action }) => action === 'endpoint.updated')).toHaveLength(2);
    const confirmed = await client.get('/v1/appointments', { status: 'confirmed' });
    expect(confirmed.body['items']).toEqual([]);
  }));

test('an endpoint is on again after a check that cannot go on', async () => {
  const place = await aPullEndpoint(api, { events: ['appointment.*'] });
  const { tenantId, endpointId } = place;
  const em = api.database.em();
  const { id: professionalId } = await em.findOneOrFail(ProfessionalEntity, { tenantId, active: true });
  const check = { tenantId, endpointId, professionalId, withinSeconds: 30, actor: 'system' };
  const play = async () => {
    for await (const { step } of new ScriptedDay({ database: api.database, ...check }).play())
      if (step === 'repeat')
        await em.nativeUpdate(ProfessionalEntity, { id: professionalId }, { active: false });
  };
  await besideConnector(place, isNew, () => expect(play()).rejects.toThrow());
  const { status } = await em.fork().findOneOrFail(WebhookEndpointEntity, { id: endpointId });
  expect(status).toBe('active');
});

const WRONG: [string, Parameters<typeof checked>, string[]][] = [
  ['writes repeats', [(event, { versions }) => (versions.get(event.id) ?? 0) <= event.version], ['repeat']],
  [
    'writes older versions',
    [({ eventId }, { events }) => !events.has(eventId)],
    ['old event after a newer one'],
  ],
  ['never acknowledges', [() => false, { withinSeconds: 2 }], ['booking']],
  ['is slow', [isNew, { workMs: 4000, withinSeconds: 2 }], ['booking']],
];

test('a connector that does something wrong is told so', async () => {
  // Together, because a check waits for seconds until the connector is quiet.
  const told = await Promise.all(
    WRONG.map(async ([what, how]) => {
      const run = await checked(...how);
      const wrong = findingsOf(run).filter(({ result }) => result === 'wrong');
      return [what, run.exitCode, wrong.map(({ step }) => step)];
    }),
  );
  expect(told).toEqual(WRONG.map(([what, , steps]) => [what, 1, steps]));
});

test('the longest answer of a receiver is known', async () => {
  const clinic = await aClinic(api.database);
  const endpointId = await anEndpoint(api.database, clinic.tenantId);
  const { id } = await book(api.database, clinic);
  const watched = { database: api.database, tenantId: clinic.tenantId, endpointId, withinMs: 1 };
  const connector = new WatchedConnector(watched);
  expect(await connector.longestAnswerMs([id])).toBe(0);
  const [delivery] = await connector.deliveriesOf(id);
  if (!delivery) throw new Error('the booking has no delivery');
  await attempted(api.database, delivery, { number: 1, status: 200, durationMs: 7000 });
  expect(await connector.longestAnswerMs([id])).toBe(7000);
});

test('a check needs a sandbox, and an endpoint for appointments', async () => {
  const { tenantId } = await aPullEndpoint(api, { events: ['call.*'] });
  const without = await admin('vendor-check', '--tenant', tenantId);
  expect(without).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('no such endpoint') });
  const live = adminWith({ ...environment, SERVICE_MODE: 'live' });
  expect(await live('vendor-check', '--tenant', tenantId)).toMatchObject({ exitCode: 1 });
});
