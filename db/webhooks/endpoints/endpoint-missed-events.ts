import { sql } from 'kysely';
import type { DeliveryStatus } from '../../../domain/webhooks/delivery-status.ts';
import { lowestIdSince } from '../created-within.ts';

/** What a replay sends again: by what became of each event's newest delivery. `missing`: skipped and failed. */
export type ReplayedDeliveries = 'skipped' | 'failed' | 'missing' | 'all';

/** Which events of an endpoint a replay sends again. */
export interface ReplayScope {
  tenantId: string;
  endpointId: string;
  since: Date;
  /** Exclusive. */
  until: Date;
  include: ReplayedDeliveries;
  /** Only by deliveries that had ended by then. */
  endedBy?: Date;
}

const STATUSES: Record<ReplayedDeliveries, DeliveryStatus[]> = {
  skipped: ['skipped'],
  failed: ['failed'],
  missing: ['skipped', 'failed'],
  all: ['skipped', 'failed', 'succeeded'],
};

/**
 * Each event with the newest delivery of it, when that ended as the replay wants it and the body is still kept. One that has
 * reached the receiver by another delivery is not missed. The other deliveries of an event are asked for one by one: of an anti-join
 * PostgreSQL expects that hardly a row is left, and reads the whole table first, however few events are wanted.
 */
export function missedEvents(scope: ReplayScope, after: { at: Date; eventId: string } | null = null) {
  const { tenantId, endpointId, since, until, include, endedBy } = scope;
  return sql`
    SELECT
      event.id AS event_id, event.created_at, newest.id AS delivery_id, newest.tenant_id, newest.endpoint_id,
      newest.event_type, newest.appointment_id, newest.resend_number
    FROM webhook_event event
    JOIN webhook_delivery newest
      ON newest.tenant_id = event.tenant_id AND newest.event_id = event.id AND newest.endpoint_id = ${endpointId}
    WHERE event.tenant_id = ${tenantId}
      AND event.type <> 'webhook.test'
      AND event.body IS NOT NULL
      AND event.created_at >= greatest(${since}::timestamptz, ${after?.at ?? null}::timestamptz)
      AND event.created_at < ${until}::timestamptz
      AND (
        ${after?.eventId ?? null}::text IS NULL
        OR (event.created_at, event.id) > (${after?.at ?? null}::timestamptz, ${after?.eventId ?? null}::text)
      )
      AND newest.id >= ${lowestIdSince(since)}
      AND newest.status = ANY(${STATUSES[include]}::text[])
      AND newest.updated_at <= coalesce(${endedBy ?? null}::timestamptz, 'infinity')
      AND (
        SELECT bool_and(
          other.resend_number <= newest.resend_number AND (${include === 'all'} OR other.status <> 'succeeded')
        )
        FROM webhook_delivery other
        WHERE other.event_id = newest.event_id
          AND other.endpoint_id = newest.endpoint_id
      )
  `;
}
