import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { evenly } from '../../../bench/load/pace.ts';
import { openDatabase } from '../../../db/connection/open-database.ts';
import { createApiClient, type ApiAnswer } from '../../support/api-client.ts';
import { aClinic, aKey, bookingBody, inHours, type TestClinic } from '../../support/clinic.ts';
import { startOwnPostgres } from '../../support/environment/test-postgres.ts';
import { TEST_ENCRYPTION_KEY, TEST_SEALING } from '../../support/sealing.ts';
import { startApiProcess, type ApiProcess } from '../../support/servers/api-process.ts';
import { startStandbyOf, type StandbyPostgres } from '../../support/servers/standby-postgres.ts';
import { until } from '../../support/until.ts';

/** docs/operations/fail-over.md, with two servers: the primary is killed under load, and the standby promoted. */

const PER_SECOND = 20;
/** Before the primary is killed, and after the standby was promoted. FAILOVER_SECONDS=60 for longer. */
const SECONDS = Number(process.env['FAILOVER_SECONDS'] ?? 2);
const MAX_GAP_MS = 15_000;
/** Together they may ask more often than all who come again at once. */
const KEYS = 10;

let primary: Awaited<ReturnType<typeof startOwnPostgres>>;
let standby: StandbyPostgres;
let api: ApiProcess;
let clinic: TestClinic;
const keys: string[] = [];

beforeAll(async () => {
  primary = await startOwnPostgres({ synchronous_commit: 'on', full_page_writes: 'on' });
  await using database = await openDatabase({
    sealing: TEST_SEALING,
    url: primary.templateUrl,
    applicationName: 'test',
  });
  clinic = await aClinic(database);
  for (let i = 0; i < KEYS; i += 1) keys.push(await aKey(database, clinic.tenantId));
  standby = await startStandbyOf(primary);
  api = await startApiProcess(addressOfBoth(), { ENCRYPTION_KEY: TEST_ENCRYPTION_KEY.toString('base64') });
});
afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await standby.stop();
  await primary.close();
});

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

const isReady = async () => (await fetch(`${api.url}/health/ready`)).status === 200;

test('a primary that dies under bookings, and a standby that is promoted: none lost, none twice, no 500', async () => {
  let next = 0;
  const load = evenly(PER_SECOND, 3 * SECONDS * PER_SECOND, async () => bookInTheEnd((next += 1)));
  await until('bookings to be under way', () => seen.booked.size > SECONDS * PER_SECOND);
  const killedAt = performance.now();
  await primary.stop('immediate');
  await until('the service to be unready', async () => !(await isReady()));
  await standby.promote();
  await load;

  const gapMs = Math.min(...seen.bookedAt.filter((at) => at > killedAt + 100)) - killedAt;
  expect(gapMs).toBeLessThan(MAX_GAP_MS);
  expect([...seen.statuses.keys()].filter((status) => ![201, 503].includes(status))).toEqual([]);
  expect(await isReady()).toBe(true);
  const stored = await storedIn(standby.url);
  expect(stored.externalIds.length).toBe(next);
  expect(new Set(stored.externalIds)).toEqual(seen.booked);
  // The windows of the rate limits are unlogged: they begin again, and count.
  expect(stored.windows).toBeGreaterThan(0);
});

async function storedIn(url: string): Promise<{ externalIds: string[]; windows: number }> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ externalId: string }>(
      'SELECT external_id AS "externalId" FROM calendar_entry WHERE external_id IS NOT NULL',
    );
    const windows = await client.query('SELECT FROM request_window');
    return { externalIds: rows.map(({ externalId }) => externalId), windows: windows.rows.length };
  } finally {
    await client.end();
  }
}
