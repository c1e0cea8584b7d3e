import type { ClaimFirstAttempts } from '../db/outbox/claim-first-attempts.ts';
import { ATTEMPT_SHARES, type AnswerPace } from '../domain/webhooks/attempt-share.ts';
import { ShareLevel } from './share-level.ts';

/** Whose shares an attempt counts against. */
export interface AttemptTarget {
  endpointId: string;
  clinicId: string;
  /** Of the endpoint's URL, with its port. */
  host: string;
}

/** Ends an attempt, once; null when it was not made after all. */
export type EndAttempt = (pace: AnswerPace | null) => void;

interface WaitingRetry {
  target: AttemptTarget;
  tell: () => void;
}

/** So long is room kept for a retry that was told of it. */
const KEPT_FOR_RETRY_MS = 5000;

/** The shares of attempts in this process. Nothing outlives the process, so nothing leaks when it dies. */
export class AttemptShares {
  readonly #endpoints = new ShareLevel(ATTEMPT_SHARES.endpoint);
  readonly #clinics = new ShareLevel(ATTEMPT_SHARES.clinic);
  readonly #hosts = new ShareLevel(ATTEMPT_SHARES.host);
  /** By endpoint, then by delivery. */
  readonly #waiting = new Map<string, Map<string, WaitingRetry>>();
  readonly #kept = new Map<string, EndAttempt>();
  readonly #listeners: (() => void)[] = [];

  /** Called after each attempt. */
  onRoom(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Null when the endpoint, its clinic or its host has its share under way. */
  begin(target: AttemptTarget): EndAttempt | null {
    const levels = this.#levelsOf(target);
    if (!levels.every(([level, id]) => level.hasRoom(id))) return null;
    for (const [level, id] of levels) level.begin(id);
    return (pace) => {
      for (const [level, id] of levels) level.end(id, pace);
      this.#keepRoomForRetry();
      for (const listener of this.#listeners) listener();
    };
  }

  /** The same for a retry. When there is no room, `tell` is called once there is, and the room is kept for a while. */
  beginRetry(deliveryId: string, target: AttemptTarget, tell: () => void): EndAttempt | null {
    const own = this.#kept.get(deliveryId);
    this.#kept.delete(deliveryId);
    const end = own ?? this.begin(target);
    if (end) this.#forget(target.endpointId, deliveryId);
    else this.#wait(deliveryId, { target, tell });
    return end;
  }

  /** How many retries wait for room. */
  retriesPutOff(): number {
    return this.#waiting.values().reduce((sum, { size }) => sum + size, 0);
  }

  /** Counts a claimed first attempt until the returned function is called. */
  hold(target: AttemptTarget): () => void {
    const levels = this.#levelsOf(target);
    for (const [level, id] of levels) level.hold(id, 1);
    return () => levels.forEach(([level, id]) => level.hold(id, -1));
  }

  /** What a claim of first attempts may take: enough for the next ones to begin as soon as others end. */
  claimable(): ClaimFirstAttempts['free'] {
    return {
      endpoint: this.#endpoints.claimable(),
      clinic: this.#clinics.claimable(),
      host: this.#hosts.claimable(),
    };
  }

  /** How many more rows of the endpoint are claimed than its share is worth now. */
  surplus(endpointId: string): number {
    return this.#endpoints.surplus(endpointId);
  }

  #levelsOf({ endpointId, clinicId, host }: AttemptTarget): [ShareLevel, string][] {
    return [
      [this.#endpoints, endpointId],
      [this.#clinics, clinicId],
      [this.#hosts, host],
    ];
  }

  /** The room that an attempt has left goes to a retry first: it has waited longer than any first attempt. */
  #keepRoomForRetry(): void {
    for (const [endpointId, retries] of this.#waiting) {
      const [first] = retries;
      const end = first && this.begin(first[1].target);
      if (!first || !end) continue;
      this.#forget(endpointId, first[0]);
      this.#keep(first[0], end);
      first[1].tell();
      return;
    }
  }

  #keep(deliveryId: string, end: EndAttempt): void {
    const giveUp = setTimeout(() => {
      if (this.#kept.delete(deliveryId)) end(null);
    }, KEPT_FOR_RETRY_MS);
    giveUp.unref();
    this.#kept.set(deliveryId, (pace) => {
      clearTimeout(giveUp);
      end(pace);
    });
  }

  #wait(deliveryId: string, retry: WaitingRetry): void {
    const { endpointId } = retry.target;
    const retries = this.#waiting.get(endpointId) ?? new Map<string, WaitingRetry>();
    this.#waiting.set(endpointId, retries.set(deliveryId, retry));
  }

  #forget(endpointId: string, deliveryId: string): void {
    const retries = this.#waiting.get(endpointId);
    retries?.delete(deliveryId);
    if (retries?.size === 0) this.#waiting.delete(endpointId);
  }
}
