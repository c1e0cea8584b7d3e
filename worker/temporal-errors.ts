import { GRPC, grpcCode } from '../adapters/temporal/grpc-code.ts';
import { TemporalNotReached } from './temporal-door.ts';

const AWAY: readonly (number | null)[] = [GRPC.deadlineExceeded, GRPC.resourceExhausted, GRPC.unavailable];

/** Whether Temporal could not be reached or takes no more for now, so that other calls would fail as well. */
export function isTemporalAway(error: unknown): boolean {
  return error instanceof TemporalNotReached || AWAY.includes(grpcCode(error));
}

/** One line for operators. Temporal is told ids and times only, so its messages hold nothing else. */
export function describeTemporalError(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error';
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return `${error.name}: ${error.message}${cause}`.slice(0, 500);
}
