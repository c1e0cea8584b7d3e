import type { RoomToClaim } from '../db/outbox/claim-first-attempts.ts';
import {
  ATTEMPT_SHARES,
  isProven,
  MOST_FIRST_ATTEMPTS,
  shareAfter,
  type AnswerPace,
} from '../domain/webhooks/attempt-share.ts';
import { SharedRoom, type Counts } from './shared-room.ts';

/** Whose shares an attempt counts against. */
export interface AttemptTarget {
  endpointId: string;
  clinicId: string;
  /** Of the endpoint's URL, with its port. */
  host: string;
}

/** Ends an attempt, once; null when it was not made after all. */
export type EndAttempt = (pace: AnswerPace | null) => void;

interface Share extends Counts {
  /** As it was asked for last: the endpoint's URL may change. */
  target: AttemptTarget;
  size: number;
}

/** Claimed at once, in shares: one under way, one that waits for it in this process, and two that are being recorded. */
const CLAIMED_SHARES = 4;
/** No clinic and no host has more than half of what this process claims. */
const ROOM = {
  unproven: { underWay: ATTEMPT_SHARES.unproven, held: CLAIMED_SHARES * ATTEMPT_SHARES.unproven },
  proven: { underWay: ATTEMPT_SHARES.proven, held: MOST_FIRST_ATTEMPTS },
} as const;
/** Endpoints that answer as any other are forgotten at once; of the others so many are remembered. */
const MOST_REMEMBERED = 10_000;

/**
 * The shares of attempts in this process. Nothing outlives the process, so nothing leaks when it dies. At its clinic and at
 * its host counts no more of an endpoint than its share is worth now: what it has under way beyond that is its own.
 */
export class AttemptShares {
  readonly #shares = new Map<string, Share>();
  readonly #unproven = { clinic: new SharedRoom(ROOM.unproven), host: new SharedRoom(ROOM.unproven) };
  readonly #proven = { clinic: new SharedRoom(ROOM.proven), host: new SharedRoom(ROOM.proven) };
  readonly #listeners: ((ended: AttemptTarget) => void)[] = [];

  /** Called after each attempt, in the order in which they came. */
  onRoom(listener: (ended: AttemptTarget) => void): void {
    this.#listeners.push(listener);
  }

  /** Null when the endpoint, its clinic or its host has its share under way. */
  begin(target: AttemptTarget): EndAttempt | null {
    const { size, underWay } = this.#share(target);
    if (underWay >= size || !this.#roomsOf(target, size).every(([room, id]) => room.hasRoom(id))) return null;
    this.#change(target, (share) => ({ underWay: share.underWay + 1 }));
    return (pace) => {
      this.#change(target, (share) => ({
        underWay: share.underWay - 1,
        size: pace ? shareAfter(share.size, pace) : share.size,
      }));
      for (const listener of this.#listeners) listener(target);
    };
  }

  /** How many attempts to the endpoint may be under way now. */
  sizeOf(target: AttemptTarget): number {
    return this.#share(target).size;
  }

  /** Counts a claimed first attempt until the returned function is called. */
  hold(target: AttemptTarget): () => void {
    this.#change(target, ({ held }) => ({ held: held + 1 }));
    return () => this.#change(target, ({ held }) => ({ held: held - 1 }));
  }

  /** What a claim of first attempts may take: enough for the next ones to begin as soon as others end. */
  claimable(): RoomToClaim {
    const shares = [...this.#shares];
    return {
      endpoint: {
        ids: shares.map(([id]) => id),
        free: shares.map(([, { size, held }]) => Math.max(CLAIMED_SHARES * size - held, 0)),
        unlisted: CLAIMED_SHARES * ATTEMPT_SHARES.endpoint.start,
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

  /** How many more rows of the endpoint are claimed than its share is worth now. */
  surplus(target: AttemptTarget): number {
    const { held, size } = this.#share(target);
    return Math.max(held - CLAIMED_SHARES * size, 0);
  }

  #share(target: AttemptTarget): Share {
    const start = { target, size: ATTEMPT_SHARES.endpoint.start, underWay: 0, held: 0 };
    return this.#shares.get(target.endpointId) ?? start;
  }

  #change(target: AttemptTarget, changed: (share: Share) => Partial<Share>): void {
    const before = this.#share(target);
    const after = { ...before, ...changed(before), target };
    this.#count(before, -1);
    this.#count(after, 1);
    const isIdle = after.underWay === 0 && after.held === 0;
    const isUnremarkable =
      after.size === ATTEMPT_SHARES.endpoint.start || this.#shares.size > MOST_REMEMBERED;
    if (isIdle && isUnremarkable) this.#shares.delete(target.endpointId);
    else this.#shares.set(target.endpointId, after);
  }

  #count({ target, size, underWay, held }: Share, sign: 1 | -1): void {
    const counts = { underWay: Math.min(underWay, size), held: Math.min(held, CLAIMED_SHARES * size) };
    for (const [room, id] of this.#roomsOf(target, size)) room.count(id, counts, sign);
  }

  #roomsOf({ clinicId, host }: AttemptTarget, size: number): [SharedRoom, string][] {
    const rooms = isProven(size) ? this.#proven : this.#unproven;
    return [
      [rooms.clinic, clinicId],
      [rooms.host, host],
    ];
  }
}
