import { sql } from 'kysely';
import type { EntityManager } from '../../db/connection/open-database.ts';

export interface ClinicEndpoint {
  clinicId: string;
  endpointId: string;
}

/** `count` deliveries of an endpoint come into the outbox. */
export async function insertWaitingDeliveries(
  em: EntityManager,
  { clinicId, endpointId }: ClinicEndpoint,
  count: number,
): Promise<void> {
  await sql`
    WITH event AS (
      INSERT INTO webhook_event (id, tenant_id, type, body, created_at)
      SELECT 'evt_' || gen_random_uuid(), ${clinicId}::uuid, 'nps.submitted', '{}', now()
      FROM generate_series(1, ${count})
      RETURNING id
    ),
    delivery AS (
      INSERT INTO webhook_delivery
        (id, tenant_id, event_id, endpoint_id, event_type, workflow_id, status, next_attempt_at)
      SELECT gen_random_uuid(), ${clinicId}::uuid, id, ${endpointId}::uuid, 'nps.submitted', id, 'pending', now()
      FROM event
      RETURNING id
    )
    INSERT INTO outbox (message)
    SELECT jsonb_build_object(
      'kind', 'startDelivery', 'deliveryId', id, 'clinicId', ${clinicId}::text, 'endpointId', ${endpointId}::text)
    FROM delivery
  `.execute(em.getKysely());
}

/** Only the outbox's rows, of deliveries there are none of; returns the id of the last. */
export async function insertDeliveryRows(
  em: EntityManager,
  { clinicId, endpointId }: ClinicEndpoint,
  count = 1,
): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    INSERT INTO outbox (message)
    SELECT jsonb_build_object(
      'kind', 'startDelivery', 'deliveryId', gen_random_uuid(), 'clinicId', ${clinicId}::text, 'endpointId', ${endpointId}::text)
    FROM generate_series(1, ${count})
    RETURNING id::text
  `.execute(em.getKysely());
  return rows.at(-1)?.id ?? '';
}
