import { sql, type RawBuilder } from 'kysely';
import { FAILING_MAIL_EVERY_SECONDS, type HealthVerdict } from '../../domain/webhooks/endpoint-health.ts';
import type { OutboxMessage } from '../../domain/outbox-message.ts';

/**
 * The first part of the statement that records an attempt: holds the endpoint if the verdict may change it, before the
 * delivery is touched. Most verdicts change nothing, and hold nothing.
 */
export function endpointHold(verdict: HealthVerdict | null, deliveryId: string): RawBuilder<unknown> {
  if (!verdict) return sql`held_endpoint AS (SELECT)`;
  return sql`
    held_endpoint AS (
      SELECT endpoint.id
      FROM webhook_delivery delivery
      JOIN webhook_endpoint endpoint ON endpoint.id = delivery.endpoint_id
      WHERE delivery.id = ${deliveryId}
        AND endpoint.status = ${sql.lit(verdict.kind === 'corrects' ? 'failing' : 'active')}
      FOR NO KEY UPDATE OF endpoint
    )
  `;
}

/**
 * What an attempt's verdict changes of its endpoint, as further parts of the statement that records the attempt, so that
 * neither is there without the other. They read the columns `tenant_id`, `endpoint_id` and `status` of `recorded`.
 */
export function healthParts(verdict: HealthVerdict | null): RawBuilder<unknown> {
  if (!verdict) return sql``;
  return verdict.kind === 'corrects' ? correctionParts(verdict) : failingParts(verdict);
}

/** A deactivated endpoint stays so: an answer that was still in flight counts for its delivery only. */
function correctionParts({ at }: Extract<HealthVerdict, { kind: 'corrects' }>) {
  const kind: OutboxMessage['kind'] = 'endpointCorrected';
  return sql`
    , endpoint AS (
      UPDATE webhook_endpoint endpoint
      SET status = 'active',
          failing_since = NULL,
          deactivate_at = NULL,
          corrected_at = ${at}::timestamptz,
          updated_at = ${at}::timestamptz
      FROM recorded
      WHERE endpoint.tenant_id = recorded.tenant_id
        AND endpoint.id = recorded.endpoint_id
        AND endpoint.status = 'failing'
      RETURNING endpoint.id
    ), told AS (
      INSERT INTO outbox (ordering_key, message)
      SELECT 'endpoint:' || id, jsonb_build_object('kind', ${kind}::text, 'endpointId', id)
      FROM endpoint
    )
  `;
}

function failingParts({ startedAt, since, deactivateAt }: Extract<HealthVerdict, { kind: 'fails' }>) {
  const kind: OutboxMessage['kind'] = 'endpointFailing';
  return sql`
    , endpoint AS (
      UPDATE webhook_endpoint endpoint
      SET status = 'failing',
          failing_since = ${since}::timestamptz,
          deactivate_at = ${deactivateAt}::timestamptz,
          updated_at = ${since}::timestamptz
      FROM recorded
      WHERE endpoint.tenant_id = recorded.tenant_id
        AND endpoint.id = recorded.endpoint_id
        AND endpoint.status = 'active'
        AND recorded.status = 'failed'
        AND (endpoint.corrected_at IS NULL OR endpoint.corrected_at <= ${startedAt}::timestamptz)
      RETURNING endpoint.id, endpoint.tenant_id, endpoint.url
    ), notified AS (
      INSERT INTO notification (id, tenant_id, kind, endpoint_id, endpoint_url, deactivate_at, mail, created_at)
      SELECT
        uuid_v7(), endpoint.tenant_id, 'endpoint_failing', endpoint.id, split_part(endpoint.url, '?', 1),
        ${deactivateAt}::timestamptz, ${failingMail(since)}, ${since}::timestamptz
      FROM endpoint
      JOIN tenant ON tenant.id = endpoint.tenant_id
    ), told AS (
      INSERT INTO outbox (ordering_key, message)
      SELECT 'endpoint:' || id, jsonb_build_object(
        'kind', ${kind}::text,
        'endpointId', id,
        'clinicId', tenant_id,
        'deactivateAt', ${deactivateAt.toISOString()}::text)
      FROM endpoint
    )
  `;
}

/** A mail that still waits to be sent counts as well, or a mail server's outage would end in several at once. */
function failingMail(since: Date) {
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
