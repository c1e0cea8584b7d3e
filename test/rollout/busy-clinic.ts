import { createApiClient } from '../support/api-client.ts';
import { aClinic, aKey, bookingBody, inHours } from '../support/clinic.ts';
import { until } from '../support/until.ts';
import type { WorkerSurroundings } from '../worker/running-worker.ts';
import type { MoodyReceiver } from './moody-receiver.ts';

const RECEPTIONISTS = 3;
/** Of each receptionist. */
const LEFT_OPEN = 10;
/** Events that are on their way; more would be a test of speed. */
const MAX_ON_THEIR_WAY = 20;

/** A clinic whose receptionists book as fast as its events arrive, and cancel what was booked a while before. */
export interface BusyClinic {
  /** So many more bookings have been answered. */
  bookings(more: number): Promise<void>;
  /** Waits for the last answers; how many requests there were, each of which caused an event. */
  stop(): Promise<number>;
}

export async function aBusyClinic(
  { database, subscribe }: WorkerSurroundings,
  apiUrl: string,
  receiver: MoodyReceiver,
): Promise<BusyClinic> {
  const clinic = await aClinic(database, { professionals: RECEPTIONISTS });
  const { tenantId, professionalIds } = clinic;
  await subscribe(tenantId, receiver.url);
  const client = createApiClient(apiUrl, await aKey(database, tenantId));
  const stopping = new AbortController();
  let [answers, booked] = [0, 0];
  async function ask(method: string, path: string, body: object, expected: number): Promise<string> {
    const { status, body: answer, text } = await client.send(method, path, { body });
    if (status !== expected) throw new Error(`${method} ${path}: ${status} ${text}`);
    answers += 1;
    return String(answer['id']);
  }
  async function receive(professionalId: string): Promise<void> {
    const open: string[] = [];
    for (let hour = 24; !stopping.signal.aborted; hour += 1) {
      await until('events to arrive', () => answers - receiver.taken() < MAX_ON_THEIR_WAY);
      const body = { ...bookingBody(clinic, inHours(hour)), professionalId };
      open.push(await ask('POST', '/v1/appointments', body, 201));
      booked += 1;
      const oldest = open.length > LEFT_OPEN ? open.shift() : undefined;
      if (oldest) await ask('PATCH', `/v1/appointments/${oldest}`, { status: 'cancelled' }, 200);
    }
  }
  const running = Promise.all(professionalIds.map(receive));
  return {
    async bookings(more) {
      const enough = booked + more;
      await Promise.race([until('bookings', () => booked >= enough), running]);
    },
    async stop() {
      stopping.abort();
      await running;
      return answers;
    },
  };
}
