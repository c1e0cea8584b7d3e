import { sql } from 'kysely';
import type { ErrorCode } from '../../domain/error-codes.ts';
import type { EntityManager } from '../connection/open-database.ts';
import type { LoggedRequest } from '../requests/request-log.ts';

export type RequestOfClinic = LoggedRequest & { tenantId: string; keyId: string; error: ErrorCode | null };

/** What was asked with this request id within the last week, of whatever clinic; null when it is not in the log. */
export async function findRequest(em: EntityManager, id: string): Promise<RequestOfClinic | null> {
  const { rows } = await sql<RequestOfClinic>`
    SELECT
      id, tenant_id AS "tenantId", key_id AS "keyId", method, route, status, error, duration_ms AS "durationMs"
    FROM request_log
    WHERE id = ${id}
  `.execute(em.getKysely());
  return rows[0] ?? null;
}

export interface ChangedByRequest {
  appointmentId: string;
  tenantId: string;
  kind: string;
  at: Date;
}

const MOST_CHANGED = 50;
/** Of the clocks that made the id of the request and the time of the event. */
const APART_MS = 60_000;

/** The appointments that a request made or changed, so that an event tells of it. @param at when it came, which stands in its id */
export async function findChangedBy(em: EntityManager, id: string, at: Date): Promise<ChangedByRequest[]> {
  const { rows } = await sql<ChangedByRequest>`
    SELECT change.appointment_id AS "appointmentId", change.tenant_id AS "tenantId", change.kind, change.at
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
    LIMIT ${MOST_CHANGED}
  `.execute(em.getKysely());
  return rows.map((row) => ({ ...row, at: new Date(row.at) }));
}
