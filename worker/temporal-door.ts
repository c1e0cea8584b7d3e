import type { Client } from '@temporalio/client';
import { untilAborted } from '../adapters/process/stop-signal.ts';

/** Temporal was not reached since this process has started; it counts as away. */
export class TemporalNotReached extends Error {
  override readonly name = 'TemporalNotReached';

  constructor() {
    super('Temporal has not been reached since the worker has started');
  }
}

/** The way to Temporal of a worker that does not wait for it: closed until Temporal was reached once. */
export class TemporalDoor {
  #client: Client | null = null;
  readonly #opened = Promise.withResolvers<void>();

  /** @param client must share the workers' connection, or no workflow can start eagerly */
  open(client: Client): void {
    this.#client = client;
    this.#opened.resolve();
  }

  /** @throws TemporalNotReached */
  client(): Client {
    if (!this.#client) throw new TemporalNotReached();
    return this.#client;
  }

  /** Resolves once it is open, or at `signal`. */
  async opened(signal: AbortSignal): Promise<void> {
    await Promise.race([this.#opened.promise, untilAborted(signal)]);
  }
}
