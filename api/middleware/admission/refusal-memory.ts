import { setTimeout as delay } from 'node:timers/promises';
import type { Admission, AskingRequest } from '../../../db/requests/admit-request.ts';
import type { WindowUse } from '../../../db/requests/rate-limit.ts';

/** Whose refusals are remembered; beyond that the oldest is forgotten, and the database asked again. */
const MAX_REMEMBERED = 5000;

/** One after the other, refusals of one key or address go out so far apart at least; none is held back for longer than a second. */
const APART_MS = 10;
const MAX_HELD_MS = 1000;

export type Ask = (request: AskingRequest) => Promise<Admission>;

interface Heard {
  admission: Admission;
  /** By `performance.now()`, as the other times. */
  heardAt: number;
  /** No one asks the database before. */
  until: number;
}

interface Refused extends Heard {
  /** When the next refusal may go out. */
  nextAt: number;
  /** The question of the one who asks for all, once the time has come. */
  asking: Promise<Admission> | null;
}

/**
 * Puts a memory before the database. A caller that exceeds a limit is refused without asking it until the time that it has named, which
 * no other process can make earlier. Then one request asks, and the others wait for what it hears. Who does not stop sending is
 * held back besides, so that he costs the process no more than a hundred answers a second, and one more for each connection.
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
    // A key that is not good counts against its address, and from another address against that.
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

/** By the secret, too: without it no one learns how things stand with a key. */
function nameOf({ key, address }: AskingRequest): string {
  return key ? `${key.publicId} ${key.secretHash.toString('base64')}` : address;
}

async function turnToBeRefused(refused: Refused): Promise<void> {
  const now = performance.now();
  const at = Math.min(Math.max(refused.nextAt, now), now + MAX_HELD_MS);
  refused.nextAt = at + APART_MS;
  if (at > now) await delay(Math.ceil(at - now));
}

/** What the database would say now, or a little less: it alone knows when the later ones of the counted requests leave. */
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
