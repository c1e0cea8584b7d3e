import { setTimeout as delay } from 'node:timers/promises';
import { rateLimited } from '../../domain/service-error.ts';

/** So many pages at once, then one in so many milliseconds. */
interface Pace {
  burst: number;
  everyMs: number;
}

/** What this process shows: looking for free times costs the database what the API needs, too. */
const OF_A_CLINIC: Pace = { burst: 20, everyMs: 50 };
/** Ten times as many as someone reads. */
const OF_AN_ADDRESS: Pace = { burst: 120, everyMs: 500 };

/** Anyone who would have to wait longer is refused then: who does not stop asking slows down no one but himself. */
const MAX_WAIT_MS = 4000;
/** Who is known at a time; beyond that anyone who has not come for longest is forgotten. */
const MAX_KNOWN = 5000;

export interface PageLimiter {
  /** Waits for a turn. @throws ServiceError `rate_limited` when there is none soon */
  letIn(address: string, place: string): Promise<void>;
}

/** Keeps a crowd at a clinic's pages from crowding out everyone else. */
export function createPageLimiter(): PageLimiter {
  const waitOfAddress = createTurns(OF_AN_ADDRESS);
  const waitOfPlace = createTurns(OF_A_CLINIC);
  return {
    async letIn(address, place) {
      const ofAddress = waitOfAddress(address);
      const wait = ofAddress === null ? null : waitOfPlace(place);
      await delay(Math.max(ofAddress ?? MAX_WAIT_MS, wait ?? MAX_WAIT_MS));
      if (wait === null) throw rateLimited('Too many pages were asked for.', MAX_WAIT_MS);
    },
  };
}

/** How many milliseconds each waits for the next turn; null, and no turn is taken, where that is too long. */
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
