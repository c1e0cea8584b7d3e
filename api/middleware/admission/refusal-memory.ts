import { setTimeout as delay } from 'node:timers/promises';
import type { Admission, AskingRequest } from '../../../db/requests/admit-request.ts';
import type { WindowUse } from '../../../db/requests/rate-limit.ts';

/** How many callers are remembered; beyond that the oldest is forgotten and the database asked again. */
const MAX_REMEMBERED = 5000;

/** Refusals to one key or address go out at least this far apart; none waits longer than a second. */
const APART_MS = 10;
const MAX_HELD_MS = 1000;

export type Ask = (request: AskingRequest) => Promise<Admission>;

interface Heard {
  admission: Admission;
  /** By `performance.now()`, like the other times. */
  heardAt: number;
  /** Until then the database is not asked. */
  until: number;
}

interface Refused extends Heard {
  /** When the next refusal may go out. */
  nextAt: number;
  /** The one query that runs for all waiting requests. */
  asking: Promise<Admission> | null;
}

/**
 * A cache in front of the database. A caller over its limit is refused without a query until its reset time, which no
 * other process can make earlier. Then one request asks and the others wait for its result. A caller that keeps sending
 * is also slowed down to a hundred refusals per second, plus one per connection.
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

/** Includes the secret: without it no one learns the state of a key. */
function nameOf({ key, address }: AskingRequest): string {
  return key ? `${key.publicId} ${key.secretHash.toString('base64')}` : address;
}

async function turnToBeRefused(refused: Refused): Promise<void> {
  const now = performance.now();
  const at = Math.min(Math.max(refused.nextAt, now), now + MAX_HELD_MS);
  refused.nextAt = at + APART_MS;
  if (at > now) await delay(Math.ceil(at - now));
}

/** What the database would say now, or slightly less: only it knows when the counted requests expire. */
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
