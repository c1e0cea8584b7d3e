import { sql, type RawBuilder } from 'kysely';
import { z } from 'zod';
import type { EndpointStatus } from '../../../domain/webhooks/endpoint-status.ts';
import type { DeliveryStatus } from '../../../domain/webhooks/delivery-status.ts';
import { settleOutboxRows } from '../../outbox/burst-rows.ts';
import type { ClaimedRow } from '../../outbox/claim-rows.ts';
import { sealRows } from '../../encryption/field-seal.ts';
import type {
  StoredWebhookAttempt,
  WebhookAttemptRow,
} from '../../entities/webhooks/webhook-attempt.entity.ts';
import { prepared, rowsOf, type EntityManager } from '../../connection/statements.ts';
import { PROGRESS, PROGRESS_COLUMNS, toProgress, type DeliveryProgress } from './delivery-progress.ts';

export interface NewAttempt extends WebhookAttemptRow {
  /** The next status of an open delivery. */
  verdict: Extract<DeliveryStatus, 'succeeded' | 'retrying' | 'failed'>;
  /** Null unless the verdict is `retrying`. */
  nextAttemptAt: Date | null;
  /** The workflow that records a successful delivery; its own by default. */
  burst?: string | null;
  /**
   * The claimed outbox row that requested the attempt. After the attempt is recorded, only the delivery's workflow must
   * still be started for it.
   */
  outboxRow?: Pick<ClaimedRow, 'outboxId' | 'claimedBy'>;
}

type Stored = StoredWebhookAttempt &
  Pick<NewAttempt, 'verdict' | 'nextAttemptAt' | 'burst'> & {
    outboxId?: string | undefined;
    endpointId?: string | undefined;
    changedStatus?: string | undefined;
  };

/** An attempt, and the endpoint status that it would change. */
export type JudgedAttempt = NewAttempt & { judged: { id: string; status: EndpointStatus } | null };

/**
 * Like `insertAttempts`, but never waits: it skips attempts whose delivery is locked by another transaction, and
 * attempts that change the status of the endpoint.
 */
export function insertFreeAttempts(em: EntityManager, attempts: readonly JudgedAttempt[]) {
  return insert(
    em,
    attempts.map(({ judged, ...attempt }) => ({
      ...attempt,
      endpointId: judged?.id,
      changedStatus: judged?.status,
    })),
    {
      lock: sql`FOR NO KEY UPDATE SKIP LOCKED`,
      only: sql`
        (
          SELECT endpoint.status = made."changedStatus"
          FROM webhook_endpoint endpoint
          WHERE endpoint.id = made."endpointId"
        ) IS NOT TRUE`,
    },
  );
}

/**
 * Records attempts and updates their deliveries. A success counts even if the delivery was skipped meanwhile; a failure
 * does not reopen it. An attempt that is already recorded changes nothing. Deliveries are locked in order of ID, as
 * when an endpoint is disabled.
 * @returns the deliveries by ID, except deliveries that already had this attempt or a later one
 */
export function insertAttempts(em: EntityManager, attempts: readonly NewAttempt[]) {
  return insert(em, attempts, { lock: sql`FOR NO KEY UPDATE`, only: sql`true` });
}

const PROGRESS_BY_ID = PROGRESS.extend({ id: z.string() });
const RECORDED = PROGRESS_BY_ID.extend({ number: z.number() });

async function insert(
  em: EntityManager,
  attempts: readonly (NewAttempt & { endpointId?: string | undefined; changedStatus?: string | undefined })[],
  { lock, only }: Record<'lock' | 'only', RawBuilder<unknown>>,
): Promise<Map<string, DeliveryProgress>> {
  const sealed = await sealRows<Stored>(em, 'webhookAttempt', attempts.map(toStored));
  const leases = new Set(attempts.flatMap(({ outboxRow }) => outboxRow?.claimedBy ?? []));
  const rows = await rowsOf(prepared(em), RECORDED)`
    WITH ${attemptsToWrite(sealed, { lock, only })},
    attempt AS (
      INSERT INTO webhook_attempt
        (delivery_id, number, tenant_id, url, started_at, duration_ms, outcome, error_class, response_status,
          response_excerpt, tls_fault)
      SELECT
        "deliveryId", number, tenant_id, url, "startedAt", "durationMs", outcome, "errorClass", "responseStatus",
        "responseExcerpt", "tlsFault"
      FROM made
      ON CONFLICT (delivery_id, number) DO NOTHING
      RETURNING delivery_id, number, error_class, response_status
    ),
    recorded AS (
      UPDATE webhook_delivery delivery
      SET url = coalesce(made.url, delivery.url),
          attempt_count = greatest(delivery.attempt_count, made.number),
          last_error_class = coalesce(made."errorClass", delivery.last_error_class),
          status = CASE
            WHEN delivery.status IN ('pending', 'retrying') OR made.verdict = 'succeeded' THEN made.verdict
            ELSE delivery.status
          END,
          next_attempt_at = CASE
            WHEN delivery.status IN ('pending', 'retrying') AND made.verdict = 'retrying' THEN made."nextAttemptAt"
          END,
          workflow_id = CASE WHEN made.verdict = 'succeeded' THEN coalesce(made.burst, workflow_id) ELSE workflow_id END,
          updated_at = clock_timestamp()
      FROM attempt last_attempt
      JOIN made ON made."deliveryId" = last_attempt.delivery_id AND made.number = last_attempt.number
      WHERE delivery.id = last_attempt.delivery_id
      RETURNING
        delivery.id, delivery.tenant_id, last_attempt.number, made."outboxId",
        made.verdict = 'succeeded' AND made.burst IS NOT NULL AS is_in_burst,
        ${PROGRESS_COLUMNS}
    ),
    ${settleOutboxRows(sql`recorded`, [...leases])}
    SELECT
      id, number, workflow_id, status, attempt_count, next_attempt_at, due_in_ms, error_class, response_status
    FROM recorded
  `;
  return byId(rows.filter(({ attemptCount, number }) => attemptCount === number));
}

/** Statement part `made`: the attempts that meet the condition and whose deliveries are locked. */
function attemptsToWrite(
  sealed: readonly Stored[],
  { lock, only }: Record<'lock' | 'only', RawBuilder<unknown>>,
): RawBuilder<unknown> {
  return sql`
    made AS MATERIALIZED (
      SELECT made.*, held.tenant_id
      FROM (
        SELECT *
        FROM json_to_recordset(${JSON.stringify(sealed)}::json) AS given (
          "deliveryId" uuid, number integer, url text, "startedAt" timestamptz, "durationMs" integer, outcome text,
          "errorClass" text, "responseStatus" integer, "responseExcerpt" text, "tlsFault" text, verdict text, "nextAttemptAt" timestamptz,
          burst text, "endpointId" uuid, "changedStatus" text, "outboxId" bigint
        )
        ORDER BY "deliveryId"
      ) made
      -- Not joined, so that each is looked up by its key: see docs/decisions/0031.
      CROSS JOIN LATERAL (
        SELECT tenant_id FROM webhook_delivery WHERE id = made."deliveryId" ${lock}
      ) held
      WHERE ${only}
    )
  `;
}

function toStored<Attempt extends NewAttempt>({ outboxRow, ...attempt }: Attempt) {
  return { ...attempt, outboxId: outboxRow?.outboxId };
}

/** The progress of these deliveries, by id. */
export async function findProgress(em: EntityManager, deliveryIds: readonly string[]) {
  const rows = await rowsOf(prepared(em), PROGRESS_BY_ID)`
    SELECT delivery.id, ${PROGRESS_COLUMNS}
    FROM webhook_delivery delivery
    LEFT JOIN webhook_attempt last_attempt
      ON last_attempt.delivery_id = delivery.id AND last_attempt.number = delivery.attempt_count
    WHERE delivery.id = ANY(${[...deliveryIds]}::uuid[])
  `;
  return byId(rows);
}

function byId(rows: readonly z.infer<typeof PROGRESS_BY_ID>[]): Map<string, DeliveryProgress> {
  return new Map(rows.map((row) => [row.id, toProgress(row)]));
}
