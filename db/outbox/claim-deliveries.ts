import { sql, type RawBuilder } from 'kysely';
import { z } from 'zod';
import { prepared, rowsOf, type EntityManager } from '../connection/statements.ts';
import { CLAIMED_ROW_COLUMNS, claimRows, type ClaimedRow, CLAIMED_ROW } from './claim-rows.ts';
import { dueInFairOrder } from './fair-order.ts';
import {
  DELIVERY_TO_ATTEMPT,
  DELIVERY_TO_ATTEMPT_COLUMNS,
  DELIVERY_TO_ATTEMPT_TABLES,
  type DeliveryToAttempt,
} from '../webhooks/deliveries/delivery-to-attempt.ts';
import { toProgress } from '../webhooks/deliveries/delivery-progress.ts';

/** A row for a delivery. */
export interface ClaimedDelivery extends ClaimedRow {
  /** Null when the delivery no longer exists. */
  delivery: DeliveryToAttempt | null;
}

/** A claimed row joined with `THEIR_DELIVERIES`. */
export function foundRow<More extends z.ZodRawShape>(more: More) {
  const claimed = { ...CLAIMED_ROW.shape, ...more };
  return z.union([DELIVERY_TO_ATTEMPT.extend(claimed), z.object({ ...claimed, deliveryId: z.null() })]);
}

const FOUND_ROW = foundRow({});
type FoundRow = z.infer<typeof FOUND_ROW>;

/** Claims rows of deliveries whose first attempt was made and which need their workflow. Clinics take turns. */
export async function claimAttempted(
  em: EntityManager,
  workerId: string,
  limit: number,
): Promise<ClaimedDelivery[]> {
  const attempted = { rows: sql`endpoint_id IS NOT NULL AND attempted`, clinic: sql`clinic_id` };
  const rows = await rowsOf(prepared(em), FOUND_ROW)`
    WITH ${claimRows(workerId, dueInFairOrder(limit, attempted))}
    SELECT ${CLAIMED_ROW_COLUMNS}, found.*
    FROM claimed
    ${THEIR_DELIVERIES}
    ORDER BY claimed.id
  `;
  return rows.map(toClaimedDelivery);
}

/** Joins the deliveries of the rows in `claimed` as `found`. */
export const THEIR_DELIVERIES: RawBuilder<unknown> = sql`
  LEFT JOIN LATERAL (
    SELECT ${DELIVERY_TO_ATTEMPT_COLUMNS}
    FROM webhook_delivery delivery
    ${DELIVERY_TO_ATTEMPT_TABLES}
    WHERE delivery.id = (claimed.message ->> 'deliveryId')::uuid
  ) AS found ON true
`;

export function toClaimedDelivery({ outboxId, claimedBy, failures, ...row }: FoundRow): ClaimedDelivery {
  return {
    outboxId,
    claimedBy,
    failures,
    delivery: row.deliveryId === null ? null : { ...row, progress: toProgress(row) },
  };
}
