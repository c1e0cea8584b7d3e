import type { ClaimedDelivery } from '../../db/outbox/claim-deliveries.ts';
import {
  NOBODY_PROVEN,
  type ClaimFirstAttempts,
  type FreeShares,
  type RoomToClaim,
} from '../../db/outbox/claim-first-attempts.ts';

/** The endpoints whose rows a claim may have left for want of room; null when it may be any. */
export function endpointsLeft(
  claimed: readonly ClaimedDelivery[],
  limit: number,
  free: ClaimFirstAttempts['free'],
): string[] | null {
  const deliveries = claimed.flatMap(({ delivery }) => delivery ?? []);
  if (claimed.length >= limit || deliveries.length < claimed.length) return null;
  const { endpoint, clinic, host, proven = NOBODY_PROVEN } = free;
  if ([clinic, host, proven.clinic, proven.host].some(isFull)) return null;
  const withoutRoom = endpoint.ids.filter((_, at) => endpoint.free[at] === 0);
  // When as many endpoints wait as rows are wanted, a claim takes one row of each.
  if (new Set(deliveries.map(endpointOf)).size + withoutRoom.length >= limit) return null;
  const provenIds = new Set(proven.endpointIds);
  const ofProven = deliveries.filter(({ endpointId }) => provenIds.has(endpointId));
  const ofOthers = deliveries.filter(({ endpointId }) => !provenIds.has(endpointId));
  const tookAll =
    hasTakenAll(endpoint, deliveries.map(endpointOf)) ||
    hasTakenAll(clinic, ofOthers.map(clinicOf)) ||
    hasTakenAll(host, ofOthers.map(hostOf)) ||
    hasTakenAll(proven.clinic, ofProven.map(clinicOf)) ||
    hasTakenAll(proven.host, ofProven.map(hostOf));
  return tookAll ? null : withoutRoom;
}

type Claimed = NonNullable<ClaimedDelivery['delivery']>;
const endpointOf = ({ endpointId }: Claimed) => endpointId;
const clinicOf = ({ tenantId }: Claimed) => tenantId;
const hostOf = ({ host }: Claimed) => host;

/** Whether a claim may have left rows for want of room. */
export function mayHaveLeft(
  claimed: readonly ClaimedDelivery[],
  limit: number,
  { endpoint, clinic, host, proven }: RoomToClaim,
): boolean {
  const shares = [endpoint, clinic, host, proven.clinic, proven.host];
  return claimed.length >= Math.min(limit, ...shares.flatMap(({ free, unlisted }) => [...free, unlisted]));
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
