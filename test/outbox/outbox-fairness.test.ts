import { randomUUID } from 'node:crypto';
import { afterEach, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { claimAttempted } from '../../db/outbox/claim-deliveries.ts';
import {
  claimFirstAttempts,
  type ClaimFirstAttempts,
  type FreeShares,
} from '../../db/outbox/claim-first-attempts.ts';
import { claimMessages } from '../../db/outbox/claim-messages.ts';
import { insertOutboxMessages } from '../../db/outbox/insert-messages.ts';
import { findOutboxBacklog } from '../../db/outbox/outbox-backlog.ts';
import type { OutboxMessage } from '../../domain/outbox-message.ts';
import { ATTEMPT_SHARES } from '../../domain/webhooks/attempt-share.ts';
import { aClinic, anEndpoint } from '../support/clinic.ts';
import { suiteDatabase } from '../support/database.ts';
import { aLease } from '../support/leases.ts';
import { insertWaitingDeliveries, type ClinicEndpoint } from '../support/waiting-deliveries.ts';

const LIMIT = 16;

const database = await suiteDatabase();
const workerId = await aLease(database.em());
afterEach(forget);

async function forget(): Promise<void> {
  await database.em().execute('DELETE FROM outbox');
}

async function newEndpoint(clinicId?: string): Promise<ClinicEndpoint> {
  const tenantId = clinicId ?? (await aClinic(database)).tenantId;
  return { clinicId: tenantId, endpointId: await anEndpoint(database, tenantId) };
}

function wait(count: number, endpoint: ClinicEndpoint): Promise<void> {
  return insertWaitingDeliveries(database.em(), endpoint, count);
}

const { endpoint: ENDPOINT, unproven: UNPROVEN, proven: PROVEN } = ATTEMPT_SHARES;
const unlisted = (free: number): FreeShares => ({ ids: [], free: [], unlisted: free });
/** No one has anything under way. */
const FREE: ClaimFirstAttempts['free'] = {
  endpoint: unlisted(ENDPOINT.start),
  clinic: unlisted(UNPROVEN),
  host: unlisted(PROVEN),
};

async function claim(limit = LIMIT, free = FREE): Promise<ClinicEndpoint[]> {
  const { rows } = await claimFirstAttempts(database.em(), { workerId, limit, free });
  return rows.flatMap(({ delivery }) =>
    delivery ? [{ clinicId: delivery.tenantId, endpointId: delivery.endpointId }] : [],
  );
}

function countOf(claimed: readonly ClinicEndpoint[], { endpointId }: ClinicEndpoint): number {
  return claimed.filter((row) => row.endpointId === endpointId).length;
}

test('a single delivery is in the next claim, though another clinic’s ten thousand came before', async () => {
  const [busy, quiet] = [await newEndpoint(), await newEndpoint()];
  await wait(10_000, busy);
  await wait(1, quiet);
  const claimed = await claim();
  expect(countOf(claimed, quiet)).toBe(1);
  expect(countOf(claimed, busy)).toBe(ENDPOINT.start);
});

test('a clinic with many busy endpoints takes no more turns than a clinic with one', async () => {
  const { tenantId: clinicId } = await aClinic(database);
  const busy = await Promise.all(Array.from({ length: 5 }, () => newEndpoint(clinicId)));
  for (const endpoint of busy) await wait(100, endpoint);
  const quiet = await newEndpoint();
  await wait(8, quiet);
  expect(countOf(await claim(), quiet)).toBe(8);
});

test('the endpoints of one clinic take turns', async () => {
  const busy = await newEndpoint();
  const quiet = await newEndpoint(busy.clinicId);
  await wait(100, busy);
  await wait(5, quiet);
  const claimed = await claim(10);
  expect([countOf(claimed, busy), countOf(claimed, quiet)]).toEqual([5, 5]);
});

test('no more is claimed of an endpoint, a clinic or a host than there is room for', async () => {
  const endpoint = await newEndpoint();
  await wait(50, endpoint);
  const only = (ids: string[], free: number) => ({ ids, free: ids.map(() => free), unlisted: 50 });
  const wide = { endpoint: unlisted(50), clinic: unlisted(50), host: unlisted(50) };
  const [host = ''] = await hostsOf(endpoint);
  expect(await claim(50, { ...wide, endpoint: only([endpoint.endpointId], 3) })).toHaveLength(3);
  expect(await claim(50, { ...wide, clinic: only([endpoint.clinicId], 4) })).toHaveLength(4);
  expect(await claim(50, { ...wide, host: only([host], 5) })).toHaveLength(5);
  expect(await claim(50, { ...wide, endpoint: only([endpoint.endpointId], 0) })).toEqual([]);
  expect(await claim(50, wide)).toHaveLength(50 - 12);
});

test('one host that serves many clinics gets its share, and another one is not kept waiting', async () => {
  const sharing = await Promise.all(Array.from({ length: 5 }, () => newEndpoint()));
  for (const endpoint of sharing) await wait(20, endpoint);
  const other = await newEndpoint();
  await database
    .em()
    .execute('UPDATE webhook_endpoint SET url = ? WHERE id = ?', [
      'https://other.example/hook',
      other.endpointId,
    ]);
  await wait(3, other);
  const claimed = await claim(100, { ...FREE, host: unlisted(10) });
  expect(claimed).toHaveLength(13);
  expect(countOf(claimed, other)).toBe(3);
  for (const endpoint of sharing) expect(countOf(claimed, endpoint)).toBe(2);
});

async function hostsOf({ endpointId }: ClinicEndpoint): Promise<string[]> {
  const rows = await database
    .em()
    .execute<{ host: string }[]>('SELECT host FROM webhook_endpoint WHERE id = ?', [endpointId]);
  return rows.map(({ host }) => host);
}

test('all endpoints of a clinic together keep to the clinic’s share', async () => {
  const { clinicId, ...first } = await newEndpoint();
  await wait(30, { clinicId, ...first });
  for (let i = 0; i < 3; i += 1) await wait(30, await newEndpoint(clinicId));
  await wait(1, await newEndpoint());
  const claimed = await claim(100);
  expect(claimed.filter((row) => row.clinicId === clinicId)).toHaveLength(UNPROVEN);
  expect(claimed).toHaveLength(UNPROVEN + 1);
});

test('endpoints that have proven themselves take no room of the others at their clinic and host', async () => {
  const proven = await newEndpoint();
  const [beside, hanging] = [await newEndpoint(proven.clinicId), await newEndpoint()];
  for (const endpoint of [proven, beside, hanging]) await wait(30, endpoint);
  const [host = ''] = await hostsOf(proven);
  const full = { ids: [host], free: [0], unlisted: 0 };
  const room = { endpointIds: [proven.endpointId], clinic: unlisted(7), host: unlisted(8) };
  const wide = { endpoint: unlisted(50), clinic: unlisted(50), host: unlisted(50) };
  expect(await claim(50, { ...wide, host: full, proven: room })).toEqual(Array(7).fill(proven));
  const clinic = { ids: [proven.clinicId], free: [3], unlisted: 2 };
  const claimed = await claim(50, {
    ...wide,
    clinic,
    proven: { ...room, clinic: { ...full, ids: [proven.clinicId] } },
  });
  expect([proven, beside, hanging].map((endpoint) => countOf(claimed, endpoint))).toEqual([0, 3, 2]);
});

test('deliveries that wait for their own endpoint are pending, and not a sign that Temporal waits', async () => {
  const endpoint = await newEndpoint();
  await wait(50, endpoint);
  await database.em().execute(`UPDATE outbox SET created_at = created_at - interval '10 minutes'`);
  const age = async () => (await findOutboxBacklog(database.em())).oldestAgeSeconds;
  expect(await age()).toBeGreaterThanOrEqual(600);
  await claim();
  expect(await age()).toBe(0);
  expect(await findOutboxBacklog(database.em())).toMatchObject({ pending: 50 });
});

/** As `retry-now` of an endpoint asks for. */
async function askForRetries(count: number, clinicId: string): Promise<void> {
  const messages = Array.from({ length: count }, (_, nr): OutboxMessage => {
    const ids = { deliveryId: randomUUID(), endpointId: randomUUID(), appointmentId: null };
    const delivery = { ...ids, tenantId: clinicId, eventType: 'appointment.created' };
    return { kind: 'retryDelivery', workflowId: `${clinicId} ${nr}`, delivery };
  });
  await insertOutboxMessages(database.em(), ...messages);
}

async function claimedMessages(limit = LIMIT): Promise<string[]> {
  const claimed = await claimMessages(database.em(), workerId, limit);
  return claimed.map(({ message }) => ('workflowId' in message ? message.workflowId : message.kind));
}

test('one clinic’s retry of 800 deliveries does not keep another’s single message waiting', async () => {
  await askForRetries(800, randomUUID());
  const clinicId = randomUUID();
  await insertOutboxMessages(database.em(), {
    kind: 'settleNoShow',
    appointmentId: randomUUID(),
    clinicId,
    signal: 'checkedIn',
  });
  await askForRetries(2, clinicId);
  const claimed = await claimedMessages();
  expect(claimed).toHaveLength(LIMIT);
  expect(claimed.slice(-3)).toEqual(['settleNoShow', `${clinicId} 0`, `${clinicId} 1`]);
});

test('one clinic’s hundreds that wait for their workflows do not keep another’s waiting', async () => {
  const [busy, quiet] = [await newEndpoint(), await newEndpoint()];
  await wait(300, busy);
  await wait(2, quiet);
  await database.em().execute('UPDATE outbox SET attempted = true');
  const claimed = await claimAttempted(database.em(), workerId, LIMIT);
  expect(claimed).toHaveLength(LIMIT);
  const ofQuiet = claimed.filter(({ delivery }) => delivery?.endpointId === quiet.endpointId);
  expect(ofQuiet).toHaveLength(2);
});

test('of more clinics than there are places each gets its turn, however many messages came before', async () => {
  const clinics = Array.from({ length: 2 * LIMIT }, () => randomUUID());
  for (const clinicId of clinics) await askForRetries(40, clinicId);
  const served = new Set<string>();
  for (let claims = 0; claims < 35; claims += 1) {
    for (const workflowId of await claimedMessages()) served.add(workflowId.split(' ')[0] ?? '');
  }
  expect(served.size).toBe(clinics.length);
});

test('the messages of a clinic are carried out in their order, and those of a newer version that name no clinic take their turn', async () => {
  const clinicId = randomUUID();
  await askForRetries(2, clinicId);
  await database.em().execute(`INSERT INTO outbox (message) VALUES ('{"kind": "sendSurvey"}')`);
  expect(await claimedMessages(2)).toEqual([`${clinicId} 0`, 'sendSurvey']);
  expect(await claimedMessages(2)).toEqual([`${clinicId} 1`]);
});

test('with any waiting rows, limits hold, places are used, and clinics get equal turns', async () => {
  const waiting = fc.array(fc.array(fc.integer({ min: 1, max: 25 }), { minLength: 1, maxLength: 4 }), {
    minLength: 1,
    maxLength: 5,
  });
  await fc.assert(
    fc.asyncProperty(waiting, fc.integer({ min: 1, max: 40 }), async (clinics, limit) => {
      await forget();
      const wanted: { clinicId: string; due: number }[] = [];
      for (const counts of clinics) {
        const { tenantId: clinicId } = await aClinic(database);
        for (const count of counts) await wait(count, await newEndpoint(clinicId));
        const due = counts.reduce((sum, count) => sum + Math.min(count, ENDPOINT.start), 0);
        wanted.push({ clinicId, due: Math.min(due, UNPROVEN) });
      }
      const waitingEndpoints = clinics.flat().length;
      const claimed = await claim(limit);
      if (waitingEndpoints >= limit) {
        expect(new Set(claimed.map(({ endpointId }) => endpointId)).size).toBe(limit);
        return;
      }
      const got = wanted.map(({ clinicId }) => claimed.filter((row) => row.clinicId === clinicId).length);
      const most = Math.max(...got);
      expect(claimed).toHaveLength(
        Math.min(
          limit,
          wanted.reduce((sum, { due }) => sum + due, 0),
        ),
      );
      // Only a clinic that has nothing more due gets fewer turns than another.
      for (const [index, { due }] of wanted.entries())
        expect(got[index]).toBeGreaterThanOrEqual(Math.min(due, most - 1));
    }),
    { numRuns: 25 },
  );
});
