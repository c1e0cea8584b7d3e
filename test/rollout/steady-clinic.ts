import { expect } from '@jest/globals';
import { uuidv7 } from 'uuidv7';
import { evenly } from '../../bench/load/pace.ts';
import { WebhookAttemptEntity } from '../../db/entities/webhooks/webhook-attempt.entity.ts';
import { WebhookDeliveryEntity } from '../../db/entities/webhooks/webhook-delivery.entity.ts';
import { aCallBody } from '../calls/call-builders.ts';
import { createApiClient, type ApiAnswer } from '../support/api-client.ts';
import { aClinic, aKey, bookingBody, inHours } from '../support/clinic.ts';
import type { Receiver } from '../support/servers/receiver.ts';
import { until } from '../support/until.ts';
import type { WorkerSurroundings } from '../worker/running-worker.ts';

/** Each is five requests, of which two cause an event: 50 requests and 20 deliveries a second. */
const ROUNDS_PER_SECOND = 10;

/** A clinic whose receptionists and telephones ask at an even pace, whether or not the answers keep up. */
export interface SteadyClinic {
  /** So many more rounds have been answered. */
  rounds(more: number): Promise<void>;
  /** Ends the load. @throws when a request failed, or when an event did not arrive, or arrived or was attempted twice */
  endWell(): Promise<{ rounds: number }>;
}

export async function aSteadyClinic(surroundings: WorkerSurroundings, url: string): Promise<SteadyClinic> {
  const { database, subscribe } = surroundings;
  const clinic = await aClinic(database);
  const receiver = await surroundings.startReceiver();
  await subscribe(clinic.tenantId, receiver.url());
  const client = createApiClient(url, await aKey(database, clinic.tenantId));
  const stopping = new AbortController();
  const answers = new Map<string, number>();
  let [begun, ended] = [0, 0];
  async function ask(what: string, asked: Promise<ApiAnswer>): Promise<string> {
    const { outcome, text } = await asked.then(
      ({ status, text: body }) => ({
        outcome: status < 300 ? String(status) : `${status} ${body}`,
        text: body,
      }),
      (error: Error) => ({ outcome: error.message, text: '' }),
    );
    answers.set(`${what} ${outcome}`, (answers.get(`${what} ${outcome}`) ?? 0) + 1);
    return text;
  }
  async function round(): Promise<void> {
    const booking = bookingBody(clinic, inHours(24 + (begun += 1)));
    const idempotencyKey = { 'idempotency-key': uuidv7() };
    const call = `/v1/calls/${uuidv7()}`;
    await ask('book', client.post('/v1/appointments', booking, idempotencyKey));
    await ask('call', client.send('PUT', call, { body: aCallBody() }));
    await ask('book again', client.post('/v1/appointments', booking, idempotencyKey));
    await ask('call again', client.send('PUT', call, { body: aCallBody() }));
    const calls = await ask('calls', client.get('/v1/calls', { limit: '20' }));
    if (calls.includes('"fromNumber":null')) answers.set('a call without its number', 1);
    ended += 1;
  }
  const startedAt = performance.now();
  const running = evenly(ROUNDS_PER_SECOND, Infinity, round, stopping.signal);
  return {
    async rounds(more) {
      const enough = ended + more;
      await Promise.race([until('rounds', () => ended >= enough), running]);
    },
    async endWell() {
      stopping.abort();
      await running;
      const seconds = (performance.now() - startedAt) / 1000;
      const [each, caused] = [ended, 2 * ended];
      expect(Object.fromEntries(answers)).toEqual({
        'book 201': each,
        'call 201': each,
        'book again 201': each,
        'call again 200': each,
        'calls 200': each,
      });
      await eachArrivesOnce(surroundings, receiver, caused);
      // What was reached, for who watches.
      process.stderr.write(`${5 * each} requests and ${caused} deliveries in ${seconds.toFixed(1)} s\n`);
      return { rounds: each };
    },
  };
}

async function eachArrivesOnce(
  { database }: WorkerSurroundings,
  receiver: Receiver,
  caused: number,
): Promise<void> {
  const em = database.em();
  await until('all deliveries', async () => {
    return (await em.count(WebhookDeliveryEntity, { status: 'succeeded' })) === caused;
  });
  expect(await em.count(WebhookDeliveryEntity)).toBe(caused);
  expect(await em.count(WebhookAttemptEntity)).toBe(caused);
  expect(receiver.requests).toHaveLength(caused);
}
