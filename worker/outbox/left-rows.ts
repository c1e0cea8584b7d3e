import type { ClaimedDelivery } from '../../db/outbox/claim-deliveries.ts';
import type { ClaimFirstAttempts, FreeShares } from '../../db/outbox/claim-first-attempts.ts';

/** The endpoints whose rows a claim may have left for want of room; null when it may be any. */
export function endpointsLeft(
  claimed: readonly ClaimedDelivery[],
  limit: number,
  free: ClaimFirstAttempts['free'],
): string[] | null {
  const deliveries = claimed.flatMap(({ delivery }) => delivery ?? []);
  if (claimed.length >= limit || deliveries.length < claimed.length) return null;
  if (isFull(free.clinic) || isFull(free.host)) return null;
  const tookAll =
    hasTakenAll(
      free.endpoint,
      deliveries.map(({ endpointId }) => endpointId),
    ) ||
    hasTakenAll(
      free.clinic,
      deliveries.map(({ tenantId }) => tenantId),
    ) ||
    hasTakenAll(
      free.host,
      deliveries.map(({ host }) => host),
    );
  return tookAll ? null : free.endpoint.ids.filter((_, at) => free.endpoint.free[at] === 0);
}

function isFull({ free }: FreeShares): boolean {
  return free.includes(0);
}

/** Whether somebody was given as many rows as there was room for. */
function hasTakenAll({ ids, free, unlisted }: FreeShares, receivers: readonly string[]): boolean {
  const rooms = new Map(ids.map((id, at) => [id, free[at]]));
  const taken = Map.groupBy(receivers, (id) => id);
  return [...taken].some(([id, { length }]) => length >= (rooms.get(id) ?? unlisted));
}
