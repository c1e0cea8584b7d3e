import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { Client } from 'pg';
import { evenly } from '../../../bench/load/pace.ts';
import { appointmentsIn, createApiClient, nextCursorIn, type ApiAnswer } from '../../support/api-client.ts';
import { aClinic, aKey, bookingBody, inHours } from '../../support/clinic.ts';
import { giveSteppedClock, SECONDS_AHEAD } from '../../support/environment/stepped-clock.ts';
import { startOwnPostgres } from '../../support/environment/test-postgres.ts';
import { TEST_ENCRYPTION_KEY } from '../../support/sealing.ts';
import { startApiProcess } from '../../support/servers/api-process.ts';
import { startStandbyOf } from '../../support/servers/standby-postgres.ts';
import { until } from '../../support/until.ts';
import { forSuite } from '../../support/for-suite.ts';
import { openDatabaseAt } from '../../support/database.ts';

/** docs/operations/fail-over.md, with two servers: the primary is killed under load, and the standby promoted, whose clock is slow. */

const PER_SECOND = 20;
/** Before the primary is killed, and after the standby was promoted. FAILOVER_SECONDS=60 for longer. */
const SECONDS = Number(process.env['FAILOVER_SECONDS'] ?? 2);
const MAX_GAP_MS = 15_000;
const POLLS_PER_SECOND = 3;
/** Together they may ask more often than all who come again at once. */
const KEYS = 10;

const keys: string[] = [];

const primary = await forSuite(startOwnPostgres({ synchronous_commit: 'on', full_page_writes: 'on' }));
await giveSteppedClock(primary.templateUrl);
await using database = await openDatabaseAt(primary.templateUrl);
const clinic = await aClinic(database);
for (let i = 0; i < KEYS; i += 1) keys.push(await aKey(database, clinic.tenantId));
const pollingKey = await aKey(database, clinic.tenantId);
const standby = await forSuite(startStandbyOf(primary, { [SECONDS_AHEAD]: '-5' }));
const api = await forSuite(
  startApiProcess(addressOfBoth(), { ENCRYPTION_KEY: TEST_ENCRYPTION_KEY.toString('base64') }),
);

function addressOfBoth(): string {
  const { host, href } = new URL(primary.templateUrl);
  return `${href.replace(host, `${standby.host},${host}`)}?target_session_attrs=read-write`;
}

/** What clients saw. */
const seen = { statuses: new Map<number, number>(), booked: new Set<string>(), bookedAt: [] as number[] };

/** As a PMS does that is told to come again: the same request with the same key, until it is answered. */
async function bookInTheEnd(number: number): Promise<void> {
  const client = createApiClient(api.url, keys[number % keys.length] ?? '');
  const externalId = `booking-${number}`;
  const body = bookingBody(clinic, inHours(24 + number), { externalId });
  for (;;) {
    const answer = await client.post('/v1/appointments', body, { 'idempotency-key': externalId });
    seen.statuses.set(answer.status, (seen.statuses.get(answer.status) ?? 0) + 1);
    if (answer.status === 201) {
      seen.booked.add(externalId);
      seen.bookedAt.push(performance.now());
      return;
    }
    await pause(waitOf(answer));
  }
}

/** Less than it says, so that the gap that is measured is the service's. */
function waitOf(answer: ApiAnswer): number {
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  return 250;
}

/** A copy of the clinic's appointments, kept by polls while bookings go on. */
const copy = { mark: '2000-01-01T00:00:00Z', ids: new Set<string>() };

async function poll(): Promise<void> {
  const client = createApiClient(api.url, pollingKey);
  const read: string[] = [];
  for (let cursor: string | null = null; ;) {
    const query = { updatedSince: copy.mark, ...(cursor && { cursor }) };
    const page = await client.get('/v1/appointments', query);
    if (page.status !== 200) return;
    read.push(...appointmentsIn(page).map(({ id }) => id));
    cursor = nextCursorIn(page);
    if (cursor !== null) continue;
    const mark = String(page.body['syncedUntil']);
    expect(mark >= copy.mark).toBe(true);
    copy.mark = mark;
    for (const id of read) copy.ids.add(id);
    return;
  }
}

/** Each call begins when the one before has ended. */
function inTurn(work: () => Promise<void>): () => Promise<void> {
  let before = Promise.resolve();
  return () => (before = before.then(work));
}

const isReady = async () => (await fetch(`${api.url}/health/ready`)).status === 200;

test('a primary that dies under bookings, and a standby that is promoted: none lost, none twice, none behind a poll, no 500', async () => {
  let next = 0;
  const load = evenly(PER_SECOND, 3 * SECONDS * PER_SECOND, async () => bookInTheEnd((next += 1)));
  const polls = evenly(POLLS_PER_SECOND, 3 * SECONDS * POLLS_PER_SECOND, inTurn(poll));
  await until('bookings to be under way', () => seen.booked.size > SECONDS * PER_SECOND);
  const killedAt = performance.now();
  await primary.stop('immediate');
  await until('the service to be unready', async () => !(await isReady()));
  await standby.promote();
  await Promise.all([load, polls]);

  const gapMs = Math.min(...seen.bookedAt.filter((at) => at > killedAt + 100)) - killedAt;
  expect(gapMs).toBeLessThan(MAX_GAP_MS);
  expect([...seen.statuses.keys()].filter((status) => ![201, 503].includes(status))).toEqual([]);
  expect(await isReady()).toBe(true);
  const stored = await storedIn(standby.url);
  expect(stored.externalIds.length).toBe(next);
  expect(new Set(stored.externalIds)).toEqual(seen.booked);
  await poll();
  expect(new Set(stored.ids)).toEqual(copy.ids);
  // The windows of the rate limits are unlogged: they begin again, and count.
  expect(stored.windows).toBeGreaterThan(0);
});

async function storedIn(url: string): Promise<{ ids: string[]; externalIds: string[]; windows: number }> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ id: string; externalId: string }>(
      'SELECT id, external_id AS "externalId" FROM calendar_entry WHERE external_id IS NOT NULL',
    );
    const windows = await client.query('SELECT FROM request_window');
    return {
      ids: rows.map(({ id }) => id),
      externalIds: rows.map(({ externalId }) => externalId),
      windows: windows.rows.length,
    };
  } finally {
    await client.end();
  }
}
