import { expect } from '@jest/globals';
import { uuidv7 } from 'uuidv7';
import { evenly } from '../../bench/load/pace.ts';
import { NO_SHOW_WORKFLOW } from '../../domain/temporal-names.ts';
import { adminProcessWith, answerOf } from '../admin/admin-runs.ts';
import { aClinicByAdmin } from '../admin/clinic-by-admin.ts';
import { aCallBody } from '../calls/call-builders.ts';
import { createApiClient, type ApiAnswer } from '../support/api-client.ts';
import { inHours } from '../support/clinic.ts';
import { until } from '../support/until.ts';
import type { WorkerSurroundings } from '../worker/running-worker.ts';
import { moody } from './moody-receiver.ts';

/** Each is six requests, of which three cause an event: 30 requests and 15 deliveries a second. */
const ROUNDS_PER_SECOND = 5;
/** As long as a slow machine may take. */
const ROUND_LIMIT_MS = 2_500;
/** The patients who were booked last have not arrived yet. */
const STILL_AWAITED = 25;
/** Events that are on their way; more would be a test of speed, and a slow machine asks more slowly. */
const MAX_ON_THEIR_WAY = 100;
const PATIENT = { patientName: 'Ana Martins', patientPhone: '+351912345678' };

/** A clinic whose receptionists and telephones ask at an even pace. */
export interface SteadyClinic {
  /** So many more rounds have been answered. */
  rounds(more: number): Promise<void>;
  /**
   * Ends the load.
   * @throws when a request failed, an event did not arrive or arrived twice, or an appointment has no timer
   */
  endWell(): Promise<{ rounds: number }>;
}

/** @param directory of the version that makes the clinic */
export async function aSteadyClinic(
  surroundings: WorkerSurroundings,
  url: string,
  directory?: string,
): Promise<SteadyClinic> {
  const { key, ...ids } = await aClinicOf(surroundings, directory);
  // Answers of another version need not match the document of this one.
  const client = createApiClient(url, key, { isChecked: false });
  const events = moody(await surroundings.startReceiver(), 10);
  const endpoint = await client.post('/v1/webhook-endpoints', { url: events.url });
  if (endpoint.status !== 201) throw new Error(`no endpoint: ${endpoint.text}`);
  const stopping = new AbortController();
  const answers = new Map<string, number>();
  const awaited: string[] = [];
  let [begun, ended, arrived] = [0, 0, 0];
  async function ask(what: string, asked: Promise<ApiAnswer>): Promise<ApiAnswer | null> {
    const { outcome, answer } = await asked.then(
      (given) => ({
        outcome: given.status < 300 ? String(given.status) : `${given.status} ${given.text}`,
        answer: given,
      }),
      (error: Error) => ({ outcome: `${error.message}: ${String(error.cause)}`, answer: null }),
    );
    answers.set(`${what} ${outcome}`, (answers.get(`${what} ${outcome}`) ?? 0) + 1);
    return answer;
  }
  async function round(): Promise<void> {
    if (2 * begun + arrived - events.taken() > MAX_ON_THEIR_WAY) return;
    const booking = { ...ids, ...PATIENT, startsAt: inHours(24 + (begun += 1)).toISOString() };
    const idempotencyKey = { 'idempotency-key': uuidv7() };
    const call = `/v1/calls/${uuidv7()}`;
    const booked = await ask('book', client.post('/v1/appointments', booking, idempotencyKey));
    await ask('call', client.send('PUT', call, { body: aCallBody() }));
    await ask('book again', client.post('/v1/appointments', booking, idempotencyKey));
    await ask('call again', client.send('PUT', call, { body: aCallBody() }));
    const calls = await ask('calls', client.get('/v1/calls', { limit: '20' }));
    if (calls?.text.includes('"fromNumber":null')) answers.set('a call without its number', 1);
    awaited.push(String(booked?.body['id']));
    if (awaited.length > STILL_AWAITED) {
      arrived += 1;
      await ask('check in', client.patch(`/v1/appointments/${awaited.shift()}`, { status: 'attended' }));
    }
    ended += 1;
  }
  const startedAt = performance.now();
  const running = evenly(ROUNDS_PER_SECOND, Infinity, round, stopping.signal);
  return {
    async rounds(more) {
      const enough = ended + more;
      await Promise.race([until('rounds', () => ended >= enough, more * ROUND_LIMIT_MS), running]);
    },
    async endWell() {
      stopping.abort();
      await running;
      const seconds = (performance.now() - startedAt) / 1000;
      const [each, caused] = [ended, 2 * ended + arrived];
      expect(Object.fromEntries(answers)).toEqual({
        'book 201': each,
        'call 201': each,
        'book again 201': each,
        'call again 200': each,
        'calls 200': each,
        'check in 200': arrived,
      });
      await events.hasEachOnce(surroundings.database, caused);
      await eachHasTimer(surroundings, { each, awaited: awaited.length });
      // What was reached, for who watches.
      process.stderr.write(
        `${5 * each + arrived} requests and ${caused} events in ${seconds.toFixed(1)} s\n`,
      );
      return { rounds: each };
    },
  };
}

function aClinicOf({ databaseUrl, encryptionKey }: WorkerSurroundings, directory?: string) {
  const settings = { SERVICE_MODE: 'test', DATABASE_URL: databaseUrl, ENCRYPTION_KEY: encryptionKey };
  const admin = adminProcessWith(settings, directory);
  return aClinicByAdmin((...words) => answerOf(admin(...words)));
}

/** The timers of awaited patients run, and the others' have ended. */
async function eachHasTimer(
  { namespace }: WorkerSurroundings,
  { each, awaited }: { each: number; awaited: number },
): Promise<void> {
  const timers = (which = '') =>
    namespace.temporal.ask(async ({ workflow }) => {
      const { count } = await workflow.count(`WorkflowType = '${NO_SHOW_WORKFLOW}'${which}`);
      return count;
    });
  await until('the timers', async () => (await timers(` AND ExecutionStatus = 'Running'`)) === awaited);
  expect(await timers()).toBe(each);
}
