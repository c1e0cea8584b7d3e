import type { ErrorClass } from '../../domain/webhooks/attempt-error.ts';
import { AttemptFailure } from './attempt-failure.ts';

/** How long the first turn of an address takes at most. */
const FIRST_TURN_MS = 1_000;

/**
 * Lets the addresses of a host take turns until one connects. They are gone round again, for twice as long each time,
 * while one of them does not answer: a lost packet or a full queue is over after seconds. When all of them refuse, that
 * is the answer.
 * @param connectTo fails with an AttemptFailure of the class connect_timeout or connect_error to let the next address try
 * @throws AttemptFailure of these classes; whatever else `connectTo` throws
 */
export async function connectInTurn<Connection>(
  addresses: readonly string[],
  connectTo: (address: string, timeoutMs: number) => Promise<Connection>,
  timeoutMs: number,
): Promise<Connection> {
  const endsAt = performance.now() + timeoutMs;
  let refusals = 0;
  for (const { address, turnMs } of turns(addresses, timeoutMs)) {
    const leftMs = endsAt - performance.now();
    if (leftMs <= 0) break;
    try {
      return await connectTo(address, Math.min(turnMs, leftMs));
    } catch (error) {
      if (!isOf('connect_timeout', error) && !isOf('connect_error', error)) throw error;
      refusals = isOf('connect_error', error) ? refusals + 1 : 0;
      if (refusals === addresses.length) throw error;
    }
  }
  throw new AttemptFailure('connect_timeout', 'No connection in time');
}

function* turns(addresses: readonly string[], timeoutMs: number) {
  // Nobody waits behind a single address; with many there is time for a second round.
  const firstMs = Math.min(FIRST_TURN_MS, timeoutMs / (2 * addresses.length));
  for (let turnMs = addresses.length === 1 ? timeoutMs : firstMs; ; turnMs *= 2) {
    for (const address of addresses) yield { address, turnMs };
  }
}

function isOf(errorClass: ErrorClass, error: unknown): boolean {
  return error instanceof AttemptFailure && error.errorClass === errorClass;
}
