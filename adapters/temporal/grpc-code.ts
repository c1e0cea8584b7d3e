/** How a call to Temporal failed. https://grpc.io/docs/guides/status-codes/ */
export const GRPC = {
  cancelled: 1,
  unknown: 2,
  invalidArgument: 3,
  deadlineExceeded: 4,
  notFound: 5,
  permissionDenied: 7,
  resourceExhausted: 8,
  unimplemented: 12,
  unavailable: 14,
} as const;

/** The server does not let this account do that, or no one: as Temporal Cloud, whose namespaces are changed elsewhere. */
export function isRefused(error: unknown): boolean {
  const code = grpcCode(error);
  return code === GRPC.permissionDenied || code === GRPC.unimplemented;
}

/** The status of the call that an error, or one of its causes, came from; null when none did. */
export function grpcCode(error: unknown): number | null {
  for (let each = error; each instanceof Error; each = each.cause) {
    if ('code' in each && typeof each.code === 'number') return each.code;
  }
  return null;
}
