import type { Client } from '@temporalio/client';
import { untilAborted } from '../../adapters/process/stop-signal.ts';
import { GRPC, grpcCode } from '../../adapters/temporal/grpc-code.ts';

/** Temporal was not reached since this process has started; it counts as away. */
class TemporalNotReached extends Error {
  override readonly name = 'TemporalNotReached';

  constructor() {
    super('Temporal has not been reached since the worker has started');
  }
}

/** It has not answered a call in time. */
export class TemporalSilent extends Error {
  override readonly name = 'TemporalSilent';

  constructor(limitMs: number) {
    super(`Temporal has not answered within ${limitMs / 1000} seconds`);
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

/** Cancelled and unknown is what the worker's connection says at a deadline and when it breaks. */
const AWAY: readonly (number | null)[] = [
  GRPC.cancelled,
  GRPC.unknown,
  GRPC.deadlineExceeded,
  GRPC.resourceExhausted,
  GRPC.unavailable,
];

/** Whether Temporal could not be reached or takes no more for now, so that other calls would fail as well. */
export function isTemporalAway(error: unknown): boolean {
  return (
    error instanceof TemporalNotReached || error instanceof TemporalSilent || AWAY.includes(grpcCode(error))
  );
}

/** One line for operators. Temporal is told ids and times only, so its messages hold nothing else. */
export function describeTemporalError(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error';
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return `${error.name}: ${error.message}${cause}`.slice(0, 500);
}
