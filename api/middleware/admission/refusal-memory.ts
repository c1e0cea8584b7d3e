import { setTimeout as delay } from 'node:timers/promises';
import type { Admission, AskingRequest } from '../../../db/requests/admit-request.ts';
import type { WindowUse } from '../../../db/requests/rate-limit.ts';

/**
 * How many refused callers are cached. When there are more, the oldest is removed, and the database is asked again for
 * it.
 */
const MAX_REMEMBERED = 5000;

/** The minimum time between two refusals to the same key or address. No refusal waits longer than a second. */
const APART_MS = 10;
const MAX_HELD_MS = 1000;

export type Ask = (request: AskingRequest) => Promise<Admission>;

interface Heard {
  admission: Admission;
  /** When the database refused the caller. All times here are values of `performance.now()`. */
  heardAt: number;
  /** Until this time, requests are refused without asking the database. */
  until: number;
}

interface Refused extends Heard {
  /** The earliest time of the next refusal. */
  nextAt: number;
  /** The one query that runs for all waiting requests. */
  asking: Promise<Admission> | null;
}

/**
 * A cache in front of the database. A caller over its limit is refused without a query until its reset time, which no
 * other process can make earlier. After that time, one request asks the database and the others wait for its result. A
 * caller that keeps sending is slowed down to a hundred refusals per second, plus one per connection.
 */
export function rememberRefusals(ask: Ask): Ask {
  const known = new Map<string, Refused>();

  return async (request) => {
    const name = nameOf(request);
    let wasHeld = false;
    for (;;) {
      const refused = known.get(name);
      if (!refused) return learn(name, request);
      if (performance.now() < refused.until) {
        if (wasHeld) return aged(refused);
        await turnToBeRefused(refused);
        wasHeld = true;
      } else if (!refused.asking) {
        return askForAll(refused, learn(name, request));
      } else {
        const heard = await refused.asking;
        if (heard === refused.admission) return aged(refused);
      }
    }
  };

  async function learn(name: string, request: AskingRequest): Promise<Admission> {
    const askedAt = performance.now();
    const admission = await ask(request);
    const heardAt = performance.now();
    const { isAccepted, retryAfterMs } = admission.counted;
    // An invalid key counts against its address, so another address is counted separately.
    if (!isAccepted && admission.isKeyValid === (request.key !== null)) {
      remember(known, name, { admission, heardAt, until: askedAt + retryAfterMs });
    } else if ((known.get(name)?.until ?? Infinity) <= heardAt) {
      known.delete(name);
    }
    return admission;
  }
}

async function askForAll(refused: Refused, asking: Promise<Admission>): Promise<Admission> {
  refused.asking = asking;
  try {
    return await asking;
  } finally {
    refused.asking = null;
  }
}

function remember(known: Map<string, Refused>, name: string, heard: Heard): void {
  const refused = known.get(name) ?? { nextAt: 0, asking: null };
  known.set(name, Object.assign(refused, heard));
  const [oldest] = known.keys();
  if (known.size > MAX_REMEMBERED && oldest !== undefined) known.delete(oldest);
}

/**
 * The cache key of a request. It includes the key's secret, so that callers without the secret learn nothing about the
 * key.
 */
function nameOf({ key, address }: AskingRequest): string {
  return key ? `${key.publicId} ${key.secretHash.toString('base64')}` : address;
}

async function turnToBeRefused(refused: Refused): Promise<void> {
  const now = performance.now();
  const at = Math.min(Math.max(refused.nextAt, now), now + MAX_HELD_MS);
  refused.nextAt = at + APART_MS;
  if (at > now) await delay(Math.ceil(at - now));
}

/**
 * The refusal as the database would return it now, or with slightly fewer remaining requests, because only the database
 * knows when the counted requests expire.
 */
function aged({ admission, heardAt }: Refused): Admission {
  const passedMs = performance.now() - heardAt;
  const { counted } = admission;
  return {
    ...admission,
    counted: {
      isAccepted: false,
      retryAfterMs: counted.retryAfterMs - passedMs,
      countedAt: new Date(counted.countedAt.getTime() + passedMs),
      windows: counted.windows.map((window) => agedWindow(window, passedMs)),
    },
  };
}

function agedWindow({ limit, remaining, resetsInMs }: WindowUse, passedMs: number): WindowUse {
  if (passedMs < resetsInMs) return { limit, remaining, resetsInMs: resetsInMs - passedMs };
  const emptyInMs = limit.windowSeconds * 1000 - passedMs;
  return emptyInMs > 0
    ? { limit, remaining, resetsInMs: emptyInMs }
    : { limit, remaining: limit.requests, resetsInMs: 0 };
}
