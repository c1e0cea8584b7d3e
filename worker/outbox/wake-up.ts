/** How often a loop over the outbox looks without being woken. */
export const POLL_EVERY_MS = 1000;

/** Lets a loop sleep until it is woken. A call while it is busy is kept for its next sleep. */
export class WakeUp {
  #woken = Promise.withResolvers<void>();

  wake(): void {
    this.#woken.resolve();
  }

  /** Resolves at once after a call that was not slept for, else at the next one, or when it is time to look. */
  async next(): Promise<void> {
    const timer = setTimeout(this.#woken.resolve, POLL_EVERY_MS);
    await this.#woken.promise;
    clearTimeout(timer);
    this.#woken = Promise.withResolvers();
  }
}
