import { sql, type RawBuilder } from 'kysely';
import type { EntityManager } from '../connection/open-database.ts';
import { prepared } from '../connection/prepared.ts';
import {
  DELIVERY_TO_ATTEMPT_COLUMNS,
  DELIVERY_TO_ATTEMPT_TABLES,
  toDeliveryToAttempt,
  type DeliveryToAttempt,
  type DeliveryToAttemptRow,
} from '../webhooks/deliveries/delivery-to-attempt.ts';

/** An outbox row that asks for a delivery. */
export interface ClaimedDelivery {
  /** Of the outbox row, a bigint as text. */
  outboxId: string;
  failures: number;
  /** Null when there is no such delivery any more. */
  delivery: DeliveryToAttempt | null;
}

/** Claims rows whose first attempt was made, and of which only the workflow is missing. */
export async function claimAttempted(
  em: EntityManager,
  workerId: string,
  limit: number,
): Promise<ClaimedDelivery[]> {
  return claimDeliveries(
    em,
    workerId,
    sql`
      due AS (
        SELECT id
        FROM outbox
        WHERE attempted
          AND available_at <= clock_timestamp()
        ORDER BY id
        LIMIT ${limit}
        FOR UPDATE SKIP LOCKED
      )
    `,
  );
}

type ClaimedRow = { outboxId: string; failures: number } & (DeliveryToAttemptRow | { deliveryId: null });

/**
 * Claims rows and reads what their deliveries need.
 * @param due parts of a statement that end in `due`, the rows to claim, locked
 */
export async function claimDeliveries(
  em: EntityManager,
  workerId: string,
  due: RawBuilder<unknown>,
): Promise<ClaimedDelivery[]> {
  const { rows } = await prepared<ClaimedRow>(em)`
    WITH ${due},
    claimed AS (
      UPDATE outbox
      SET claimed_by = ${workerId}, available_at = 'infinity'
      WHERE id = ANY(ARRAY(SELECT id FROM due))
      RETURNING outbox.id, outbox.failures, (outbox.message ->> 'deliveryId')::uuid AS delivery_id
    )
    SELECT claimed.id::text AS "outboxId", claimed.failures AS "failures", found.*
    FROM claimed
    LEFT JOIN LATERAL (
      SELECT ${DELIVERY_TO_ATTEMPT_COLUMNS}
      FROM webhook_delivery delivery
      ${DELIVERY_TO_ATTEMPT_TABLES}
      WHERE delivery.id = claimed.delivery_id
    ) AS found ON true
    ORDER BY claimed.id
  `;
  return rows.map(({ outboxId, failures, ...row }) => ({
    outboxId,
    failures,
    delivery: row.deliveryId === null ? null : toDeliveryToAttempt(row),
  }));
}
