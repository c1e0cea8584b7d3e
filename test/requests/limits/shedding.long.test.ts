import { expect, test } from '@jest/globals';
import { Client } from 'pg';
import { Pool } from 'undici';
import { inParallel } from '../../../bench/load/pace.ts';
import { aClinic, aKey, bookingBody, inHours } from '../../support/clinic.ts';
import { suiteDatabase } from '../../support/database.ts';
import { residentBytes } from '../../support/resident-bytes.ts';
import { startApiProcess } from '../../support/servers/api-process.ts';

/** More than the thousand that may wait for the database. */
const CONNECTIONS = 1500;
/** In which the process comes to its size. */
const FIRST = 15_000;
const FURTHER = 30_000;
const MAX_GROWTH = 1.25;
/** As in a container of 512 MB: where there is more, V8 collects later. */
const NODE_OPTIONS = '--max-old-space-size=256';

const database = await suiteDatabase();

/** Until it ends, every booking waits for a lock. */
async function holdUpBookings(): Promise<AsyncDisposable> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query('BEGIN; LOCK TABLE webhook_event IN ACCESS EXCLUSIVE MODE');
  return { [Symbol.asyncDispose]: () => client.end() };
}

test('a request that cannot be served in time is refused at once, and the memory of the process does not grow by it', async () => {
  await using api = await startApiProcess(database.url, { RATE_LIMITS_DISABLED: 'true', NODE_OPTIONS });
  const clinic = await aClinic(database);
  const key = await aKey(database, clinic.tenantId);
  const callers = new Pool(api.url, { connections: CONNECTIONS });
  let hour = 24;
  const book = async () => {
    const { statusCode, body, headers } = await callers.request({
      method: 'POST',
      path: '/v1/appointments',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(bookingBody(clinic, inHours((hour += 1)))),
    });
    await body.dump();
    return { statusCode, retryAfter: headers['retry-after'] };
  };
  const peaks = { first: 0, further: 0 };
  const answers = new Map<string, number>();
  {
    await using _held = await holdUpBookings();
    let count = 0;
    await inParallel(CONNECTIONS, async () => {
      while (count < FIRST + FURTHER) {
        const { statusCode, retryAfter } = await book();
        count += 1;
        const answer = `${statusCode}${retryAfter ? ', come back' : ''}`;
        answers.set(answer, (answers.get(answer) ?? 0) + 1);
        const span = count <= FIRST ? 'first' : 'further';
        if (count % 500 === 0) peaks[span] = Math.max(peaks[span], residentBytes(api.pid));
      }
    });
  }
  process.stderr.write(`${JSON.stringify({ peaks, answers: [...answers] })}\n`);
  expect([...answers.keys()]).toEqual(['503, come back']);
  expect(peaks.further).toBeLessThan(MAX_GROWTH * peaks.first);
  expect((await book()).statusCode).toBe(201);
  await callers.close();
});
