import { sql } from 'kysely';
import { changedRows, type EntityManager } from '../connection/statements.ts';
import { isNotInOutbox } from './ask-again.ts';

/**
 * The message that asks for the delivery in a row called `delivery`. Its id says all; clinic and endpoint are what the
 * outbox takes turns by, and operators are shown the rest.
 */
export const START_DELIVERY = sql`jsonb_build_object(
  'kind', 'startDelivery',
  'deliveryId', delivery.id,
  'workflowId', delivery.workflow_id,
  'clinicId', delivery.tenant_id,
  'endpointId', delivery.endpoint_id,
  'appointmentId', delivery.appointment_id)`;

/**
 * Asks for these deliveries, whose rows must be locked or new, except where an unfinished outbox row does already; returns
 * how many were asked for.
 */
export function askForDeliveries(em: EntityManager, ids: readonly string[]) {
  return changedRows(em)`
    INSERT INTO outbox (message)
    SELECT ${START_DELIVERY}
    FROM webhook_delivery delivery
    WHERE delivery.id = ANY(${[...ids]}::uuid[])
      AND ${isNotInOutbox('deliveryId', sql`delivery.id::text`)}
    ORDER BY delivery.id
  `;
}
