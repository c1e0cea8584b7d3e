import { sql, type RawBuilder } from 'kysely';
import { prepared, type EntityManager } from '../connection/statements.ts';
import { CLAIMED_ROW_COLUMNS, claimRows, stillClaimed, type ClaimedRow } from './claim-rows.ts';
import { dueInTurns } from './turns-of-clinics.ts';
import {
  DELIVERY_TO_ATTEMPT_COLUMNS,
  DELIVERY_TO_ATTEMPT_TABLES,
  type DeliveryToAttempt,
  type DeliveryToAttemptRow,
} from '../webhooks/deliveries/delivery-to-attempt.ts';
import { toProgress } from '../webhooks/deliveries/delivery-progress.ts';

/** A row that asks for a delivery. */
export interface ClaimedDelivery extends ClaimedRow {
  /** Null when there is no such delivery any more. */
  delivery: DeliveryToAttempt | null;
}

/** Claims rows whose first attempt was made, and of which only the workflow is missing, clinic by clinic in turn. */
export function claimAttempted(em: EntityManager, workerId: string, limit: number) {
  const attempted = { rows: sql`attempted`, clinic: sql`clinic_id` };
  return claimDeliveries(em, workerId, dueInTurns(limit, attempted));
}

type FoundRow = ClaimedRow & (DeliveryToAttemptRow | { deliveryId: null });

/**
 * Claims rows and reads what their deliveries need.
 * @param due parts of a statement that end in `due`, the rows to claim, locked
 */
export function claimDeliveries(em: EntityManager, workerId: string, due: RawBuilder<unknown>) {
  return readDeliveries(em, claimRows(workerId, due));
}

/** Claimed rows with what their deliveries need now; without those that are, or may soon be, somebody else's. */
export async function confirmClaims(em: EntityManager, rows: readonly ClaimedRow[]) {
  const claimedBy = new Map(rows.map((row) => [row.outboxId, row.claimedBy]));
  const found = await readDeliveries(em, stillClaimed([...claimedBy.keys()]));
  return found.filter((row) => row.claimedBy === claimedBy.get(row.outboxId));
}

/** @param claimed parts of a statement that end in `claimed` */
async function readDeliveries(em: EntityManager, claimed: RawBuilder<unknown>): Promise<ClaimedDelivery[]> {
  const rows = await prepared<FoundRow>(em)`
    WITH ${claimed}
    SELECT ${CLAIMED_ROW_COLUMNS}, found.*
    FROM claimed
    LEFT JOIN LATERAL (
      SELECT ${DELIVERY_TO_ATTEMPT_COLUMNS}
      FROM webhook_delivery delivery
      ${DELIVERY_TO_ATTEMPT_TABLES}
      WHERE delivery.id = (claimed.message ->> 'deliveryId')::uuid
    ) AS found ON true
    ORDER BY claimed.id
  `;
  return rows.map(({ outboxId, claimedBy, failures, ...row }) => ({
    outboxId,
    claimedBy,
    failures,
    delivery: row.deliveryId === null ? null : { ...row, progress: toProgress(row) },
  }));
}
