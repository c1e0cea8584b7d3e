import { setTimeout as delay } from 'node:timers/promises';
import { rateLimited } from '../../domain/service-error.ts';

/** A rate: a burst of pages, then one page per interval. */
interface Pace {
  burst: number;
  everyMs: number;
}

/** The rate of a clinic's pages per process: searching free times uses the same database as the API. */
const OF_A_CLINIC: Pace = { burst: 20, everyMs: 50 };
/** The rate of an address: ten times as fast as a person reads. */
const OF_AN_ADDRESS: Pace = { burst: 120, everyMs: 500 };

/**
 * The longest wait. Requests that would wait longer are refused, so that a client that keeps sending slows down only
 * itself.
 */
const MAX_WAIT_MS = 4000;
/** The number of clients remembered; beyond it the client that was idle for longest is forgotten. */
const MAX_KNOWN = 5000;

export interface PageLimiter {
  /** Waits until the request may run. @throws ServiceError `rate_limited` when the wait is too long */
  letIn(address: string, place: string): Promise<void>;
}

/** Limits the rate of public pages per clinic and address. */
export function createPageLimiter(): PageLimiter {
  const waitOfAddress = createTurns(OF_AN_ADDRESS);
  const waitOfPlace = createTurns(OF_A_CLINIC);
  return {
    async letIn(address, place) {
      const ofAddress = waitOfAddress(address);
      const wait = ofAddress === null ? null : waitOfPlace(place);
      await delay(Math.max(ofAddress ?? MAX_WAIT_MS, wait ?? MAX_WAIT_MS));
      if (wait === null) throw rateLimited('Too many pages were requested.', MAX_WAIT_MS);
    },
  };
}

/** The wait in milliseconds until the next free place; null, without taking it, when it is too long. */
function createTurns({ burst, everyMs }: Pace): (name: string) => number | null {
  const known = new Map<string, number>();
  return (name) => {
    const now = performance.now();
    const turn = Math.max(known.get(name) ?? -Infinity, now - burst * everyMs);
    if (turn - now > MAX_WAIT_MS) return null;
    known.delete(name);
    known.set(name, turn + everyMs);
    const [longestAway] = known.keys();
    if (known.size > MAX_KNOWN && longestAway !== undefined) known.delete(longestAway);
    return Math.max(0, turn - now);
  };
}
