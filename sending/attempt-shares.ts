import type { RoomToClaim, FreeShares } from '../db/outbox/claim-first-attempts.ts';
import { ATTEMPT_SHARES, isProven, shareAfter, type AnswerPace } from '../domain/webhooks/attempt-share.ts';

/** Whose shares an attempt counts against. */
export interface AttemptTarget {
  endpointId: string;
  clinicId: string;
  /** Of the endpoint's URL, with its port. */
  host: string;
}

/** Ends an attempt, once; null when it was not made after all. */
export type EndAttempt = (pace: AnswerPace | null) => void;

interface Share {
  /** As it was asked for last: the endpoint's URL may change. */
  target: AttemptTarget;
  size: number;
  inFlight: number;
}

/** Endpoints that answer as any other are forgotten at once; of the others so many are remembered. */
const MAX_REMEMBERED = 10_000;

/**
 * The shares of attempts in this process. Nothing outlives the process, so nothing leaks when it dies. At its clinic and at
 * its host counts no more of an endpoint than its share is worth now: what it has under way beyond that is its own.
 */
export class AttemptShares {
  readonly #shares = new Map<string, Share>();
  readonly #unproven = roomsOfKind(ATTEMPT_SHARES.unproven);
  readonly #proven = roomsOfKind(ATTEMPT_SHARES.proven);
  readonly #listeners: ((ended: AttemptTarget) => void)[] = [];

  /** Called after each attempt, in the order in which they came. */
  onRoom(listener: (ended: AttemptTarget) => void): void {
    this.#listeners.push(listener);
  }

  /** Null when the endpoint, its clinic or its host has its share under way. */
  begin(target: AttemptTarget): EndAttempt | null {
    const { size, inFlight } = this.#share(target);
    if (inFlight >= size || !this.#roomsOf(target, size).every(([room, id]) => room.hasRoom(id))) return null;
    this.#change(target, (share) => ({ inFlight: share.inFlight + 1 }));
    return (pace) => {
      this.#change(target, (share) => ({
        inFlight: share.inFlight - 1,
        size: pace ? shareAfter(share.size, pace) : share.size,
      }));
      for (const listener of this.#listeners) listener(target);
    };
  }

  /** How many attempts to the endpoint may be under way now. */
  sizeOf(target: AttemptTarget): number {
    return this.#share(target).size;
  }

  /** What a claim of first attempts may take: what may begin now. */
  claimable(): RoomToClaim {
    const shares = [...this.#shares];
    return {
      endpoint: {
        ids: shares.map(([id]) => id),
        free: shares.map(([, { size, inFlight }]) => Math.max(size - inFlight, 0)),
        unlisted: ATTEMPT_SHARES.endpoint.start,
      },
      clinic: this.#unproven.clinic.claimable(),
      host: this.#unproven.host.claimable(),
      proven: {
        endpointIds: shares.filter(([, { size }]) => isProven(size)).map(([id]) => id),
        clinic: this.#proven.clinic.claimable(),
        host: this.#proven.host.claimable(),
      },
    };
  }

  #share(target: AttemptTarget): Share {
    const start = { target, size: ATTEMPT_SHARES.endpoint.start, inFlight: 0 };
    return this.#shares.get(target.endpointId) ?? start;
  }

  #change(target: AttemptTarget, changed: (share: Share) => Partial<Share>): void {
    const before = this.#share(target);
    const after = { ...before, ...changed(before), target };
    this.#count(before, -1);
    this.#count(after, 1);
    const isIdle = after.inFlight === 0;
    const isUnremarkable = after.size === ATTEMPT_SHARES.endpoint.start || this.#shares.size > MAX_REMEMBERED;
    if (isIdle && isUnremarkable) this.#shares.delete(target.endpointId);
    else this.#shares.set(target.endpointId, after);
  }

  #count({ target, size, inFlight }: Share, sign: 1 | -1): void {
    for (const [room, id] of this.#roomsOf(target, size)) room.count(id, sign * Math.min(inFlight, size));
  }

  #roomsOf({ clinicId, host }: AttemptTarget, size: number): [SharedRoom, string][] {
    const rooms = isProven(size) ? this.#proven : this.#unproven;
    return [
      [rooms.clinic, clinicId],
      [rooms.host, host],
    ];
  }
}

function roomsOfKind(most: number): { clinic: SharedRoom; host: SharedRoom } {
  return { clinic: new SharedRoom(most), host: new SharedRoom(most) };
}

/** How many attempts the endpoints of each clinic, or at each host, may have under way together. */
class SharedRoom {
  readonly #most: number;
  readonly #inFlight = new Map<string, number>();

  constructor(most: number) {
    this.#most = most;
  }

  hasRoom(id: string): boolean {
    return this.#of(id) < this.#most;
  }

  /** @param change negative when attempts have ended */
  count(id: string, change: number): void {
    const sum = this.#of(id) + change;
    if (sum === 0) this.#inFlight.delete(id);
    else this.#inFlight.set(id, sum);
  }

  claimable(): FreeShares {
    const entries = [...this.#inFlight];
    return {
      ids: entries.map(([id]) => id),
      free: entries.map(([, inFlight]) => Math.max(this.#most - inFlight, 0)),
      unlisted: this.#most,
    };
  }

  #of(id: string): number {
    return this.#inFlight.get(id) ?? 0;
  }
}
