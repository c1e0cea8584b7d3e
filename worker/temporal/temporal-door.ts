import type { Client } from '@temporalio/client';
import { untilAborted } from '../../adapters/process/stop-signal.ts';
import { GRPC, grpcCode } from '../../adapters/temporal/grpc-code.ts';

/** Thrown while Temporal has not been reached since this process started. */
class TemporalNotReached extends Error {
  override readonly name = 'TemporalNotReached';

  constructor() {
    super('The worker has not been able to reach Temporal since it started');
  }
}

/** Thrown when Temporal did not respond to a call in time. */
export class TemporalSilent extends Error {
  override readonly name = 'TemporalSilent';

  constructor(limitMs: number) {
    super(`Temporal did not respond within ${limitMs / 1000} seconds`);
  }
}

/**
 * Provides the Temporal client to a worker that starts without waiting for Temporal. It is closed until Temporal was
 * reached for the first time.
 */
export class TemporalDoor {
  #client: Client | null = null;
  readonly #opened = Promise.withResolvers<void>();

  /** @param client must use the workers' connection; otherwise eager workflow starts do not work */
  open(client: Client): void {
    this.#client = client;
    this.#opened.resolve();
  }

  /** @throws TemporalNotReached */
  client(): Client {
    if (!this.#client) throw new TemporalNotReached();
    return this.#client;
  }

  /** Resolves when the door is open, or when `signal` aborts. */
  async opened(signal: AbortSignal): Promise<void> {
    await Promise.race([this.#opened.promise, untilAborted(signal)]);
  }
}

/**
 * gRPC statuses of an unavailable Temporal. The worker's connection reports CANCELLED and UNKNOWN at a deadline and
 * when the connection breaks.
 */
const AWAY: readonly (number | null)[] = [
  GRPC.cancelled,
  GRPC.unknown,
  GRPC.deadlineExceeded,
  GRPC.resourceExhausted,
  GRPC.unavailable,
];

/** Whether Temporal is unreachable or overloaded, so that other calls would fail too. */
export function isTemporalAway(error: unknown): boolean {
  return (
    error instanceof TemporalNotReached || error instanceof TemporalSilent || AWAY.includes(grpcCode(error))
  );
}

/**
 * Describes an error for operators in one line. Temporal receives only IDs and times, so its messages contain no
 * patient data.
 */
export function describeTemporalError(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error';
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return `${error.name}: ${error.message}${cause}`.slice(0, 500);
}
