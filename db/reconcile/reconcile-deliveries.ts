import { sql } from 'kysely';
import type { OutboxMessage } from '../../domain/outbox-message.ts';
import { askAgain, isNotInOutbox } from './reconcile-outbox.ts';
import type { ReconcilableRows, RowWithWorkflow } from './reconcilable.ts';

type StartDelivery = Extract<OutboxMessage, { kind: 'startDelivery' }>;

/** Deliveries that are neither made nor given up. */
export const deliveriesToReconcile: ReconcilableRows = {
  async page(em, { after, limit, before }) {
    const { rows } = await sql<RowWithWorkflow>`
      SELECT id, workflow_id AS "workflowId", json_build_array(endpoint_id::text, id::text) AS place
      FROM webhook_delivery
      WHERE status IN ('pending', 'retrying')
        AND created_at < ${before}::timestamptz
        AND ${isNotInOutbox('deliveryId', sql`webhook_delivery.id::text`)}
        AND ${after ? sql`(endpoint_id, id) > (${after[0]}::uuid, ${after[1]}::uuid)` : sql`true`}
      ORDER BY endpoint_id, id
      LIMIT ${limit}
    `.execute(em.getKysely());
    return rows;
  },
  async restart(em, ids) {
    const { rows } = await sql<Omit<StartDelivery, 'kind' | 'isRestart'>>`
      SELECT
        id AS "deliveryId",
        workflow_id AS "workflowId",
        tenant_id AS "clinicId",
        endpoint_id AS "endpointId",
        event_type AS "eventType",
        appointment_id AS "appointmentId"
      FROM webhook_delivery
      WHERE id = ANY(${[...ids]}::uuid[])
        AND status IN ('pending', 'retrying')
      ORDER BY id
      FOR NO KEY UPDATE SKIP LOCKED
    `.execute(em.getKysely());
    const messages = rows.map((row): StartDelivery => ({ kind: 'startDelivery', ...row, isRestart: true }));
    return askAgain(em, 'deliveryId', messages);
  },
};
