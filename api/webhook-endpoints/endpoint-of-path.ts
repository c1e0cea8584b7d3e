/** The endpoint that a path names, of the caller's clinic. */
export function placeOf({ tenantId }: { tenantId: string }, { id }: { id: string }) {
  return { tenantId, endpointId: id };
}
