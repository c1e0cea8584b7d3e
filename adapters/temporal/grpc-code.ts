/** gRPC status codes. https://grpc.io/docs/guides/status-codes/ */
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

/**
 * Whether the server refuses the call, for this account or for everyone: Temporal Cloud manages namespaces elsewhere.
 */
export function isRefused(error: unknown): boolean {
  const code = grpcCode(error);
  return code === GRPC.permissionDenied || code === GRPC.unimplemented;
}

/** The gRPC status of an error or one of its causes; null without one. */
export function grpcCode(error: unknown): number | null {
  for (let each = error; each instanceof Error; each = each.cause) {
    if ('code' in each && typeof each.code === 'number') return each.code;
  }
  return null;
}
