import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { uuidv7 } from 'uuidv7';
import type { Database } from '../../db/connection/open-database.ts';
import { claimMessages, type ClaimedMessage } from '../../db/outbox/claim-messages.ts';
import { insertOutboxMessages } from '../../db/outbox/insert-messages.ts';
import { deleteClaimed, putClaimedBack } from '../../db/outbox/settle-messages.ts';
import {
  endLapsedLeases,
  endLease,
  findOrphaningLeases,
  freeRowsOf,
  renewLease,
  takeLease,
  whatWorkersSayOfTemporal,
} from '../../db/outbox/lease-rows.ts';
import { freeOrphanedRows } from '../../worker/outbox/orphaned-rows.ts';
import { WorkerLease } from '../../worker/outbox/worker-lease.ts';
import { suiteDatabase, openDatabaseAt } from '../support/database.ts';
import { aLease } from '../support/leases.ts';
import { momentNow } from '../../adapters/timing/moment.ts';
import { lockWaits } from '../support/lock-waits.ts';
import { shiftClock } from '../support/shift-clock.ts';
import { testLogger } from '../support/test-logger.ts';
import { until } from '../support/until.ts';
import { layLine } from '../worker/cuttable-line.ts';

const database = await suiteDatabase();
beforeEach(async () => {
  await sql`DELETE FROM outbox`.execute(database.em().getKysely());
  await sql`DELETE FROM worker_lease`.execute(database.em().getKysely());
});
afterEach(async () => {
  for (const lease of leases.splice(0)) await lease.end();
  for (let turnBack = shifts.pop(); turnBack; turnBack = shifts.pop()) turnBack();
});

const leases: WorkerLease[] = [];
const shifts: (() => void)[] = [];

/** Lets so much time pass for the workers of this process, but not for the database. */
function pass(ms: number): void {
  shifts.push(shiftClock(ms));
}

/** Lets a lease end in the database, as if it had not been renewed for a minute. */
function lapse(workerId: string) {
  return database
    .em()
    .execute(
      `UPDATE worker_lease SET held_until = clock_timestamp() - interval '1 minute' WHERE worker_id = ?`,
      [workerId],
    );
}

function ask(): Promise<void> {
  return database.write((em) =>
    insertOutboxMessages(em, { kind: 'stopDelivery', workflowId: 'any', clinicId: 'any' }),
  );
}

function claim(workerId: string): Promise<ClaimedMessage[]> {
  return claimMessages(database.em(), workerId, 64);
}

/** Runs `work` while no one can write to the table. */
async function whileLocked<T>(table: string, work: () => Promise<T>): Promise<T> {
  await using other = await openDatabaseAt(database.url, { applicationName: 'in the way' });
  return await other.write(async (em) => {
    await em.execute(`LOCK TABLE ${table} IN SHARE MODE`);
    return work();
  });
}

test('a claim that waited for a lock takes nothing for a lease that ended meanwhile', async () => {
  await ask();
  const ended = await aLease(database.em());
  const claiming = await whileLocked('outbox', async () => {
    const promised = claim(ended);
    await until('the claim to wait', async () => (await lockWaits(database.em())) === 1);
    await endLease(database.em(), ended);
    return { promised };
  });
  expect(await claiming.promised).toEqual([]);
  expect(await claim(await aLease(database.em()))).toHaveLength(1);
});

test('a lease under which a claim is being made is not ended until that is committed', async () => {
  await ask();
  const [workerId, observer] = [await aLease(database.em()), await aLease(database.em())];
  await database.write(async (em) => {
    expect(await claimMessages(em, workerId, 64)).toHaveLength(1);
    await lapse(workerId);
    expect(await endLapsedLeases(database.em(), observer)).toEqual([]);
  });
  expect(await endLapsedLeases(database.em(), observer)).toEqual([workerId]);
  expect(await freeRowsOf(database.em(), [workerId])).toBe(1);
});

test('a lease that is about to end claims nothing, and one that has ended is not renewed', async () => {
  await ask();
  const [lapsing, living] = [uuidv7(), await aLease(database.em())];
  await takeLease(database.em(), lapsing, 0.5);
  expect(await claim(lapsing)).toEqual([]);
  await until('its end', async () => (await endLapsedLeases(database.em(), living)).length === 1);
  expect(await renewLease(database.em(), lapsing, { seconds: 60, reachesTemporal: true })).toBe(false);
  expect(await renewLease(database.em(), living, { seconds: 60, reachesTemporal: true })).toBe(true);
});

test('a row that someone else has claimed meanwhile is neither ended nor put back', async () => {
  await ask();
  const [before, now] = [await aLease(database.em()), await aLease(database.em())];
  const [row] = await claim(before);
  await endLease(database.em(), before);
  await freeRowsOf(database.em(), [before]);
  expect(await claim(now)).toHaveLength(1);
  const own = row ? [row] : [];
  const back = { delaySeconds: 0, lastError: null, attempted: false };
  await deleteClaimed(database.em(), own);
  await putClaimedBack(
    database.em(),
    own.map((each) => ({ ...each, ...back })),
  );
  const { rows } = await sql`SELECT claimed_by FROM outbox`.execute(database.em().getKysely());
  expect(rows).toEqual([{ claimed_by: now }]);
});

test('every row whose claimer has no lease is an orphan, whenever that lease ended', async () => {
  await ask();
  const [ended, living] = [await aLease(database.em()), await aLease(database.em())];
  await claim(ended);
  await ask();
  await claim(living);
  await endLease(database.em(), ended);
  expect(await endLapsedLeases(database.em(), living)).toEqual([]);
  expect(await findOrphaningLeases(database.em())).toEqual([ended]);
});

test('leases that have lapsed together, as in an outage of the database, do not end each other', async () => {
  const [one, other] = [uuidv7(), uuidv7()];
  await takeLease(database.em(), one, 0.2);
  await takeLease(database.em(), other, 0.3);
  await until('both to lapse', async () => {
    const { rows } = await sql`SELECT FROM worker_lease WHERE held_until < clock_timestamp()`.execute(
      database.em().getKysely(),
    );
    return rows.length === 2;
  });
  expect(await endLapsedLeases(database.em(), other)).toEqual([]);
  expect(await endLapsedLeases(database.em(), uuidv7())).toEqual([]);
  expect((await endLapsedLeases(database.em(), await aLease(database.em()))).toSorted()).toEqual([
    one,
    other,
  ]);
});

/** A worker's own lease, with how often it told that rows may be claimed. */
function aWorkersLease(of: Database = database, reachTemporal = () => Promise.resolve()) {
  let taken = 0;
  const onTaken = () => void (taken += 1);
  const lease = new WorkerLease({ database: of, logger: testLogger(), reachTemporal, onTaken });
  leases.push(lease);
  const workerId = async () => (await lease.claim(async (id) => [id]))[0] ?? null;
  return { lease, workerId, taken: () => taken };
}

async function heldUntil(workerId: string): Promise<string | undefined> {
  const { rows } = await sql<{ until: string }>`
    SELECT held_until::text AS until FROM worker_lease WHERE worker_id = ${workerId}
  `.execute(database.em().getKysely());
  return rows[0]?.until;
}

async function renewal(workerId: string): Promise<void> {
  const before = await heldUntil(workerId);
  await until('a renewal', async () => (await heldUntil(workerId)) !== before);
}

/** Whether a lease is not renewed any more by the worker that renews another one. */
async function isLeft(workerId: string, { beside }: { beside: string }): Promise<boolean> {
  await renewal(beside);
  await renewal(beside);
  const before = await heldUntil(workerId);
  await renewal(beside);
  await renewal(beside);
  return (await heldUntil(workerId)) === before;
}

test('a worker claims once its lease is taken, and waiters are notified of that and of no renewal', async () => {
  const { lease, workerId, taken } = aWorkersLease();
  const first = await until('the lease', workerId);
  await renewal(first);
  await renewal(first);
  expect(taken()).toBe(1);
  expect(await workerId()).toBe(first);
  await lease.end();
  expect(await heldUntil(first)).toBeUndefined();
});

test('a worker says with its lease whether it reaches Temporal, and one that lives no more says nothing', async () => {
  const said = () => whatWorkersSayOfTemporal(database.em());
  expect(await said()).toEqual({ isReached: false, awaySince: null });
  let isUp = false;
  const { lease, workerId } = aWorkersLease(database, () =>
    isUp ? Promise.resolve() : Promise.reject(new Error('away')),
  );
  const { awaySince } = await until('its word', async () => {
    const word = await said();
    return word.awaySince !== null && word;
  });
  await renewal(await until('the lease', workerId));
  expect(await said()).toEqual({ isReached: false, awaySince });
  isUp = true;
  await until('Temporal to be reached', async () => (await said()).isReached);
  await takeLease(database.em(), uuidv7(), 3600);
  expect(await said()).toEqual({ isReached: true, awaySince: null });
  isUp = false;
  await until('Temporal to be away', async () => !(await said()).isReached);
  await lease.end();
  await sql`UPDATE worker_lease SET held_until = clock_timestamp(), temporal_away_since = NULL`.execute(
    database.em().getKysely(),
  );
  expect(await said()).toEqual({ isReached: false, awaySince: null });
});

/** And longer than any attempt. */
const LONGER_THAN_A_LOST_CLAIM_TAKES_MS = 21_000;

test('what a claim has found whose answer was lost is claimed again, by the same worker too', async () => {
  const { lease, workerId } = aWorkersLease();
  const first = await until('the lease', workerId);
  await ask();
  const lost = await lease.claim(async (id) => {
    expect(await claim(id)).toHaveLength(1);
    throw new Error('the connection has ended');
  });
  expect(lost).toEqual([]);
  const second = await until('another lease', workerId);
  expect(second).not.toBe(first);
  pass(LONGER_THAN_A_LOST_CLAIM_TAKES_MS);
  expect(await isLeft(first, { beside: second })).toBe(true);
  await lapse(first);
  const stopping = new AbortController();
  const onFreed = () => undefined;
  const freeing = freeOrphanedRows({ database, lease, logger: testLogger(), onFreed }, stopping.signal);
  const { claimedBy } = await until('the row', async () => (await lease.claim(claim))[0]);
  expect(claimedBy).toBe(second);
  stopping.abort();
  await freeing;
});

test('under a lease whose claim was lost no attempt begins, and it lasts for as long as one is held', async () => {
  const { lease, workerId } = aWorkersLease();
  const first = await until('the lease', workerId);
  const row = { claimedBy: first };
  const release = lease.hold(row);
  const askedAt = momentNow();
  expect(lease.holds(row, askedAt)).toBe(true);
  await lease.claim(async () => {
    throw new Error('the connection has ended');
  });
  expect([lease.isCurrent(row), lease.holds(row, askedAt)]).toEqual([false, false]);
  const second = await until('another lease', workerId);
  pass(LONGER_THAN_A_LOST_CLAIM_TAKES_MS);
  await renewal(second);
  await renewal(first);
  release();
  expect(await isLeft(first, { beside: second })).toBe(true);
});

const LEASE_MS = 5000;
/** So much can pass between two renewals. */
const MAX_OF_A_LEASE_MS = 3500;

async function untilItMayJudge(lease: WorkerLease): Promise<void> {
  await until('the lease', () => !lease.mayHaveLapsed());
  expect(lease.observer()).toBeNull();
  pass(MAX_OF_A_LEASE_MS);
  await until('the right to end the leases of others', () => lease.observer() !== null);
}

test('a worker that was away judges no one before its own lease was held for a while again', async () => {
  await using resources = new AsyncDisposableStack();
  const line = resources.adopt(await layLine(new URL(database.url).host), (open) => open.close());
  const far = resources.use(await openDatabaseAt(line.by(database.url), { applicationName: 'far' }));
  const lease = resources.adopt(aWorkersLease(far).lease, (held) => held.end());
  await untilItMayJudge(lease);
  line.cut();
  pass(LEASE_MS);
  expect(lease.mayHaveLapsed()).toBe(true);
  expect(lease.observer()).toBeNull();
  line.mend();
  await until('a lease', () => !lease.mayHaveLapsed());
  expect(lease.observer()).toBeNull();
});

test('a worker whose lease has ended claims under another one', async () => {
  const { workerId, taken } = aWorkersLease();
  const first = await until('the lease', workerId);
  await endLease(database.em(), first);
  const second = await until('another lease', async () => {
    const id = await workerId();
    return id !== first && id;
  });
  expect(second).not.toBe(first);
  expect(taken()).toBe(2);
});

test('the rows of a worker that lives no more come free, and the leases of others last while writing is blocked', async () => {
  const { lease, workerId } = aWorkersLease();
  const own = await until('the lease', workerId);
  await untilItMayJudge(lease);
  await ask();
  const killed = await aLease(database.em());
  expect(await claim(killed)).toHaveLength(1);
  await lapse(killed);
  const stopping = new AbortController();
  const freed = Promise.withResolvers<void>();
  const freeing = await whileLocked('outbox', async () => {
    const promised = freeOrphanedRows(
      { database, lease, logger: testLogger(), onFreed: freed.resolve },
      stopping.signal,
    );
    await until('the freeing to wait', async () => (await lockWaits(database.em())) === 1);
    await renewal(own);
    return { promised };
  });
  await freed.promise;
  expect(await claim(own)).toHaveLength(1);
  stopping.abort();
  await freeing.promised;
});
