import { z } from 'zod';
import { columnsOf, listOf } from '../connection/columns.ts';
import { firstRow, rowsOf, type EntityManager } from '../connection/statements.ts';
import { LOGGED_REQUEST } from '../requests/request-log.ts';

const REQUEST_OF_CLINIC = LOGGED_REQUEST.omit({ fields: true, wrongFields: true }).extend({
  tenantId: z.string(),
  keyId: z.string(),
});
export type RequestOfClinic = z.infer<typeof REQUEST_OF_CLINIC>;

/** The request with this ID within the last week, of any clinic; null when it is not in the log. */
export function findRequest(em: EntityManager, id: string) {
  return firstRow(em, REQUEST_OF_CLINIC)`
    SELECT ${listOf(REQUEST_OF_CLINIC)} FROM request_log WHERE id = ${id}
  `;
}

const CHANGED_BY_REQUEST = columnsOf('appointment_change', 'appointmentId', 'tenantId', 'kind', 'at');
export type ChangedByRequest = z.infer<typeof CHANGED_BY_REQUEST>;

const MAX_CHANGED = 50;
/** The maximum difference between the clocks from which the request's ID and the event's time come. */
const APART_MS = 60_000;

/**
 * Appointments that a request created or changed, found by their events. @param at its time of arrival, taken from its
 * id
 */
export function findChangedBy(em: EntityManager, id: string, at: Date) {
  return rowsOf(em, CHANGED_BY_REQUEST)`
    SELECT change.appointment_id, change.tenant_id, change.kind, change.at
    FROM tenant
    CROSS JOIN LATERAL (
      SELECT DISTINCT appointment_id
      FROM webhook_event
      WHERE tenant_id = tenant.id
        AND created_at BETWEEN ${new Date(at.getTime() - APART_MS)} AND ${new Date(at.getTime() + APART_MS)}
        AND appointment_id IS NOT NULL
    ) event
    JOIN appointment_change change ON change.appointment_id = event.appointment_id AND change.request_id = ${id}
    ORDER BY change.id
    LIMIT ${MAX_CHANGED}
  `;
}
