const DEADLINE_EXCEEDED = 4;
const RESOURCE_EXHAUSTED = 8;
const UNAVAILABLE = 14;

/** Whether Temporal could not be reached or takes no more for now, so that other calls would fail as well. */
export function isTemporalAway(error: unknown): boolean {
  const code = grpcCode(error);
  return code === DEADLINE_EXCEEDED || code === RESOURCE_EXHAUSTED || code === UNAVAILABLE;
}

/** One line for operators. Temporal is told ids and times only, so its messages hold nothing else. */
export function describeTemporalError(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error';
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return `${error.name}: ${error.message}${cause}`.slice(0, 500);
}

function grpcCode(error: unknown): number | null {
  for (let each = error; each instanceof Error; each = each.cause) {
    if ('code' in each && typeof each.code === 'number') return each.code;
  }
  return null;
}
