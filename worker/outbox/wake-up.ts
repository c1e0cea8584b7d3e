/** How often a loop polls the outbox without being woken. */
export const POLL_EVERY_MS = 1000;

/** Lets a loop sleep until it is woken. A wake-up while it is busy counts for its next sleep. */
export class WakeUp {
  #woken = Promise.withResolvers<void>();

  wake(): void {
    this.#woken.resolve();
  }

  /** Resolves at once after an unused wake-up, otherwise at the next one or when it is time to poll. */
  async next(): Promise<void> {
    const timer = setTimeout(this.#woken.resolve, POLL_EVERY_MS);
    await this.#woken.promise;
    clearTimeout(timer);
    this.#woken = Promise.withResolvers();
  }
}
