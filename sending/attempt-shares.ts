import type { RoomToClaim, FreeShares } from '../db/outbox/claim-first-attempts.ts';
import { ATTEMPT_SHARES, isProven, shareAfter, type AnswerPace } from '../domain/webhooks/attempt-share.ts';

/** The endpoint, clinic and host whose limits an attempt counts against. */
export interface AttemptTarget {
  endpointId: string;
  clinicId: string;
  /** Host of the endpoint's URL, with its port. */
  host: string;
}

/** Ends an attempt, once. Pass null if it was not made. */
export type EndAttempt = (pace: AnswerPace | null) => void;

interface Share {
  /** The latest target, because the endpoint's URL may change. */
  target: AttemptTarget;
  size: number;
  inFlight: number;
}

/** How many endpoints are remembered. Endpoints with the default limit need not be. */
const MAX_REMEMBERED = 10_000;

/**
 * The concurrency limits of attempts in this process. They are kept in memory only, so no slot stays occupied when the
 * process is killed. In the limits of its clinic and host, an endpoint counts for at most its current limit.
 */
export class AttemptShares {
  readonly #shares = new Map<string, Share>();
  readonly #unproven = roomsOfKind(ATTEMPT_SHARES.unproven);
  readonly #proven = roomsOfKind(ATTEMPT_SHARES.proven);
  readonly #listeners: ((ended: AttemptTarget) => void)[] = [];

  /** Calls the listener after each attempt, in order of registration. */
  onRoom(listener: (ended: AttemptTarget) => void): void {
    this.#listeners.push(listener);
  }

  /** Null when the endpoint, its clinic or its host has reached its limit. */
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

  /** The current concurrency limit of the endpoint. */
  sizeOf(target: AttemptTarget): number {
    return this.#share(target).size;
  }

  /** How many first attempts may be claimed, because they can start now. */
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

/** The concurrency limits that the endpoints of a clinic, or of a host, share. */
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
