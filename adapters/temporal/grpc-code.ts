/** How a call to Temporal failed. https://grpc.io/docs/guides/status-codes/ */
export const GRPC = {
  invalidArgument: 3,
  deadlineExceeded: 4,
  notFound: 5,
  resourceExhausted: 8,
  unavailable: 14,
} as const;

/** The status of the call that an error, or one of its causes, came from; null when none did. */
export function grpcCode(error: unknown): number | null {
  for (let each = error; each instanceof Error; each = each.cause) {
    if ('code' in each && typeof each.code === 'number') return each.code;
  }
  return null;
}
