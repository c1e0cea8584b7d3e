import { sql } from 'kysely';
import type { EntityManager } from '../connection/open-database.ts';

/** docs/calls.md#fields */
const MOST = 100;

/** The ids of the first appointments that were booked in a call, or came about by a move in it, oldest first. */
export async function listAppointmentsOfCall(
  em: EntityManager,
  tenantId: string,
  callId: string,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT id
    FROM appointment
    WHERE call_id = ${callId}
      AND tenant_id = ${tenantId}
    ORDER BY id
    LIMIT ${MOST}
  `.execute(em.getKysely());
  return rows.map(({ id }) => id);
}
