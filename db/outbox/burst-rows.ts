import { sql, type RawBuilder } from 'kysely';
import { z } from 'zod';
import type { BurstMessage } from '../../domain/outbox-message.ts';
import { columnsOf } from '../connection/columns.ts';
import { prepared, rowsOf, run, valuesOf, type EntityManager } from '../connection/statements.ts';
import {
  PROGRESS,
  PROGRESS_COLUMNS,
  toProgress,
  type DeliveryProgress,
} from '../webhooks/deliveries/delivery-progress.ts';

/** The worker that recorded the deliveries starts their burst within this time; after it any worker may. */
const RESERVED_SECONDS = 60;

const BURST_ROWS = sql`endpoint_id IS NULL AND attempted`;
const RESERVED_UNTIL = sql`clock_timestamp() + make_interval(secs => ${sql.lit(RESERVED_SECONDS)})`;

/**
 * Statement parts that settle the outbox rows of recorded attempts. A success with a burst is listed in the burst's
 * row; every other delivery needs a workflow of its own. @param recorded the name of a part with the columns `id`,
 * `tenant_id`, `workflow_id`, `is_in_burst` and `"outboxId"`
 * @param leases the leases under which the rows were claimed; rows that another worker has claimed since then are not
 * changed
 */
export function settleOutboxRows(recorded: RawBuilder<unknown>, leases: string[]): RawBuilder<unknown> {
  const rows = (condition: RawBuilder<unknown>) => sql`
    id = ANY(ARRAY(SELECT "outboxId" FROM ${recorded} WHERE ${condition}))
    AND claimed_by = ANY(${leases}::uuid[])
  `;
  return sql`
    done AS (DELETE FROM outbox WHERE ${rows(sql`is_in_burst`)}),
    named_by_burst_row AS (
      INSERT INTO outbox (ordering_key, message, attempted, available_at)
      SELECT
        workflow_id,
        jsonb_build_object(
          'kind', ${sql.lit('startBurst' satisfies BurstMessage['kind'])}::text,
          'clinicId', tenant_id,
          'workflowId', workflow_id,
          'deliveryIds', jsonb_agg(id)
        ),
        true,
        ${RESERVED_UNTIL}
      FROM ${recorded}
      WHERE is_in_burst
      GROUP BY workflow_id, tenant_id
    ),
    needs_workflow AS (
      UPDATE outbox
      SET attempted = true, claimed_by = NULL, available_at = clock_timestamp()
      WHERE ${rows(sql`NOT is_in_burst`)}
    )
  `;
}

/** Reserves the oldest burst that any worker may start. Returns its workflow ID, or null if there is none. */
export async function reserveDueBurst(em: EntityManager): Promise<string | null> {
  const [workflowId = null] = await valuesOf(em, z.string())`
    UPDATE outbox
    SET available_at = ${RESERVED_UNTIL}
    WHERE ordering_key = ANY(ARRAY(
      SELECT ordering_key
      FROM outbox
      WHERE ${BURST_ROWS} AND available_at <= clock_timestamp()
      ORDER BY available_at
      LIMIT 1
      FOR UPDATE SKIP LOCKED
    ))
    RETURNING ordering_key AS workflow_id
  `;
  return workflowId;
}

export interface PendingBurst {
  /** Bigints as text. */
  outboxIds: string[];
  failures: number;
  deliveries: BurstDelivery[];
}

const BURST_DELIVERY = columnsOf(
  'webhook_delivery',
  'tenantId',
  'eventId',
  'eventType',
  'endpointId',
  'appointmentId',
).extend({ ...PROGRESS.shape, deliveryId: z.string() });
export interface BurstDelivery extends Omit<z.infer<typeof BURST_DELIVERY>, keyof DeliveryProgress> {
  progress: DeliveryProgress;
}

const BURST_ROW = z.object({ outboxId: z.string(), failures: z.number(), deliveryIds: z.array(z.string()) });

/** The deliveries of a burst that has not been started yet; null when it was started. */
export async function findPendingBurst(em: EntityManager, workflowId: string): Promise<PendingBurst | null> {
  const rows = await rowsOf(prepared(em), BURST_ROW)`
    SELECT id::text AS outbox_id, failures, message -> 'deliveryIds' AS delivery_ids
    FROM outbox
    WHERE ordering_key = ${workflowId}
  `;
  if (rows.length === 0) return null;
  return {
    outboxIds: rows.map(({ outboxId }) => outboxId),
    failures: Math.max(...rows.map(({ failures }) => failures)),
    deliveries: await findBurstDeliveries(
      em,
      rows.flatMap(({ deliveryIds }) => deliveryIds),
    ),
  };
}

async function findBurstDeliveries(em: EntityManager, ids: readonly string[]): Promise<BurstDelivery[]> {
  const found = await rowsOf(prepared(em), BURST_DELIVERY)`
    SELECT
      delivery.id AS delivery_id,
      delivery.tenant_id,
      delivery.event_id,
      delivery.event_type,
      delivery.endpoint_id,
      delivery.appointment_id,
      ${PROGRESS_COLUMNS}
    FROM webhook_delivery delivery
    LEFT JOIN webhook_attempt last_attempt
      ON last_attempt.delivery_id = delivery.id AND last_attempt.number = delivery.attempt_count
    WHERE delivery.id = ANY(${[...ids]}::uuid[])
    ORDER BY delivery.id
  `;
  return found.map((row) => ({ ...row, progress: toProgress(row) }));
}

/** Deletes these rows, because their burst was started. */
export function endBurstRows(em: EntityManager, outboxIds: readonly string[]) {
  return run(em)`DELETE FROM outbox WHERE id = ANY(${[...outboxIds]}::bigint[])`;
}

/**
 * Releases these bursts, so that any worker can start them after a while. @param lastError null when nothing has
 * failed; must not contain patient data
 */
export function leaveBursts(
  em: EntityManager,
  workflowIds: readonly string[],
  { delaySeconds, lastError }: { delaySeconds: number; lastError: string | null },
) {
  return run(em)`
    UPDATE outbox
    SET available_at = clock_timestamp() + make_interval(secs => ${delaySeconds}),
        failures = failures + CASE WHEN ${lastError}::text IS NULL THEN 0 ELSE 1 END,
        last_error = coalesce(${lastError}, last_error)
    WHERE ordering_key = ANY(${[...workflowIds]}::text[])
  `;
}
