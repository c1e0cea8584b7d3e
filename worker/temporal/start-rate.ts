import { performance } from 'node:perf_hooks';

/** The share of the rate that is reserved for bursts. */
const BURST_SHARE = { part: 1 / 10, leastPerSecond: 2 };
/** The maximum share for deliveries that succeeded at their first attempt. They use only what timers leave. */
const DELIVERY_PART = 1 / 4;

/**
 * Limits how many workflows this worker starts: docs/temporal.md#the-start-rate. Timers come first, bursts have a
 * reserved share, and deliveries that succeeded at their first attempt get their own workflows from what timers leave.
 * Workflows of failed deliveries are not counted.
 */
export class StartRate {
  readonly #shared: TokenBucket;
  readonly #bursts: TokenBucket;
  readonly #deliveries: TokenBucket;
  #timersWait = false;

  /** @param nowMs a monotonic clock */
  constructor(startsPerSecond: number, nowMs: () => number = () => performance.now()) {
    const reserved = Math.max(startsPerSecond * BURST_SHARE.part, BURST_SHARE.leastPerSecond);
    this.#bursts = new TokenBucket(reserved, nowMs);
    this.#shared = new TokenBucket(Math.max(startsPerSecond - reserved, 1), nowMs);
    this.#deliveries = new TokenBucket(Math.max(startsPerSecond * DELIVERY_PART, 1), nowMs);
  }

  /** How many timers may start now. */
  allowedTimers(): number {
    return this.#shared.available();
  }

  /** Counts started timers. @param othersWait whether more timers may be waiting */
  tookTimers(count: number, othersWait: boolean): void {
    this.#shared.take(count);
    this.#timersWait = othersWait;
  }

  /** How many of these deliveries get their own workflow; they are counted as started. */
  takeDeliveries(wanted: number): number {
    if (this.#timersWait) return 0;
    const count = Math.min(wanted, this.#deliveries.available(), this.#shared.available());
    this.#deliveries.take(count);
    this.#shared.take(count);
    return count;
  }

  /** Whether a burst may start now. */
  allowsBurst(): boolean {
    return this.#burstBucket() !== undefined;
  }

  tookBurst(): void {
    (this.#burstBucket() ?? this.#bursts).take(1);
  }

  #burstBucket(): TokenBucket | undefined {
    const buckets = this.#timersWait ? [this.#bursts] : [this.#bursts, this.#shared];
    return buckets.find((each) => each.available() > 0);
  }
}

/** A token bucket with a capacity of one second of its rate. */
class TokenBucket {
  readonly #perSecond: number;
  readonly #nowMs: () => number;
  #tokens: number;
  #countedAtMs: number;

  constructor(perSecond: number, nowMs: () => number) {
    this.#perSecond = perSecond;
    this.#nowMs = nowMs;
    this.#tokens = perSecond;
    this.#countedAtMs = nowMs();
  }

  available(): number {
    const nowMs = this.#nowMs();
    const added = ((nowMs - this.#countedAtMs) / 1000) * this.#perSecond;
    this.#tokens = Math.min(this.#tokens + added, this.#perSecond);
    this.#countedAtMs = nowMs;
    return Math.floor(this.#tokens);
  }

  take(count: number): void {
    this.#tokens -= count;
  }
}
