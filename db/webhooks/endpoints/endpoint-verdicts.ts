import { sql } from 'kysely';
import { z } from 'zod';
import type { EndpointStatus } from '../../../domain/webhooks/endpoint-status.ts';
import { FAILING_MAIL_EVERY_SECONDS, type HealthVerdict } from '../../../domain/webhooks/endpoint-health.ts';
import type { OutboxMessage } from '../../../domain/outbox-message.ts';
import { columnsOf, listOf } from '../../connection/columns.ts';
import { firstRow, prepared, valuesOf, type EntityManager } from '../../connection/statements.ts';

/** The status that an endpoint must have so that a verdict changes it. */
const CHANGED_STATUS = { corrects: 'failing', fails: 'active' } as const satisfies Record<
  HealthVerdict['kind'],
  EndpointStatus
>;

/** What an attempt means for its endpoint. */
export interface EndpointVerdict {
  endpointId: string;
  deliveryId: string;
  verdict: HealthVerdict;
}

/**
 * Locks the endpoints that verdicts may change, until the transaction ends, and returns these verdicts. Most verdicts
 * change nothing, so nothing is locked. Call this before locking deliveries: disabling an endpoint uses the same order.
 */
export async function lockJudgedEndpoints(em: EntityManager, verdicts: readonly EndpointVerdict[]) {
  if (verdicts.length === 0) return [];
  const held = await valuesOf(prepared(em), z.string())`
    SELECT judged.id
    FROM (
      SELECT DISTINCT id, status
      FROM json_to_recordset(${JSON.stringify(verdicts.map(judgedEndpoint))}::json) AS given (id uuid, status text)
      ORDER BY id
    ) judged
    -- Not joined, so that each is looked up by its key: see docs/decisions/0031.
    CROSS JOIN LATERAL (
      SELECT FROM webhook_endpoint endpoint WHERE endpoint.id = judged.id AND endpoint.status = judged.status FOR NO KEY UPDATE
    ) held
  `;
  const lockedIds = new Set(held);
  return verdicts.filter(({ endpointId }) => lockedIds.has(endpointId));
}

/** An endpoint and the status that the verdict would change. */
export function judgedEndpoint({ endpointId: id, verdict }: EndpointVerdict) {
  return { id, status: CHANGED_STATUS[verdict.kind] };
}

/** An endpoint whose status has changed. */
export const CHANGED_ENDPOINT = columnsOf(
  'webhook_endpoint',
  'id',
  'tenantId',
  'url',
  'description',
  'failingSince',
  'deactivateAt',
);
export type ChangedEndpoint = z.infer<typeof CHANGED_ENDPOINT>;
export const CHANGED_ENDPOINT_COLUMNS = listOf(CHANGED_ENDPOINT);

/**
 * Updates a locked endpoint after a verdict, signals its workflow, and notifies the clinic if it is failing. Null when
 * the verdict changes nothing.
 */
export function applyVerdict(em: EntityManager, judged: EndpointVerdict): Promise<ChangedEndpoint | null> {
  const { verdict } = judged;
  return verdict.kind === 'corrects'
    ? correct(em, judged.endpointId, verdict.at)
    : markFailing(em, judged, verdict);
}

/** Makes a failing endpoint active. A disabled endpoint stays disabled: a late success counts only for its delivery. */
function correct(em: EntityManager, endpointId: string, at: Date): Promise<ChangedEndpoint | null> {
  const kind: OutboxMessage['kind'] = 'endpointCorrected';
  return firstRow(em, CHANGED_ENDPOINT)`
    WITH endpoint AS (
      UPDATE webhook_endpoint
      SET status = 'active',
          failing_since = NULL,
          deactivate_at = NULL,
          corrected_at = ${at}::timestamptz,
          updated_at = ${at}::timestamptz
      WHERE id = ${endpointId}
        AND status = 'failing'
      RETURNING ${CHANGED_ENDPOINT_COLUMNS}
    ), asked AS (
      INSERT INTO outbox (ordering_key, message)
      SELECT 'endpoint:' || id, jsonb_build_object('kind', ${kind}::text, 'endpointId', id, 'clinicId', tenant_id)
      FROM endpoint
    )
    SELECT * FROM endpoint
  `;
}

/** A failure from before the last recovery, or during a pause, does not count. */
function markFailing(
  em: EntityManager,
  { endpointId, deliveryId }: EndpointVerdict,
  { startedAt, since, deactivateAt }: Extract<HealthVerdict, { kind: 'fails' }>,
): Promise<ChangedEndpoint | null> {
  const kind: OutboxMessage['kind'] = 'endpointFailing';
  return firstRow(em, CHANGED_ENDPOINT)`
    WITH endpoint AS (
      UPDATE webhook_endpoint
      SET status = 'failing',
          failing_since = ${since}::timestamptz,
          deactivate_at = ${deactivateAt}::timestamptz,
          updated_at = ${since}::timestamptz
      WHERE id = ${endpointId}
        AND status = 'active'
        AND (corrected_at IS NULL OR corrected_at <= ${startedAt}::timestamptz)
        AND (paused_until IS NULL OR paused_until <= ${since}::timestamptz)
        AND EXISTS (SELECT FROM webhook_delivery WHERE webhook_delivery.id = ${deliveryId} AND status = 'failed')
      RETURNING ${CHANGED_ENDPOINT_COLUMNS}
    ), notified AS (
      INSERT INTO notification (id, tenant_id, kind, endpoint_id, endpoint_url, deactivate_at, mail, created_at)
      SELECT
        uuid_v7(), endpoint.tenant_id, 'endpoint_failing', endpoint.id, split_part(endpoint.url, '?', 1),
        ${deactivateAt}::timestamptz, ${failingMail(since)}, ${since}::timestamptz
      FROM endpoint
      JOIN tenant ON tenant.id = endpoint.tenant_id
    ), asked AS (
      INSERT INTO outbox (ordering_key, message)
      SELECT 'endpoint:' || id, jsonb_build_object(
        'kind', ${kind}::text,
        'endpointId', id,
        'clinicId', tenant_id,
        'deactivateAt', ${deactivateAt.toISOString()}::text)
      FROM endpoint
    )
    SELECT * FROM endpoint
  `;
}

/**
 * The state of the mail about a failing endpoint. Mails that are not sent yet count too; otherwise several would be
 * sent together after an outage of the mail server.
 */
export function failingMail(since: Date) {
  return sql`
    CASE
      WHEN tenant.email IS NULL THEN 'no_address'
      WHEN EXISTS (
        SELECT FROM notification earlier
        WHERE earlier.endpoint_id = endpoint.id
          AND earlier.kind = 'endpoint_failing'
          AND (
            earlier.mail = 'due'
            OR earlier.emailed_at > ${since}::timestamptz - make_interval(secs => ${FAILING_MAIL_EVERY_SECONDS})
          )
      ) THEN 'sent_recently'
      ELSE 'due'
    END
  `;
}
