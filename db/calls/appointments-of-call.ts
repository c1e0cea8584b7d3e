import { tables, type EntityManager } from '../connection/statements.ts';

/** docs/calls.md#fields */
const MOST = 100;

/** The ids of the first appointments that were booked or moved in a call, oldest first. */
export async function listAppointmentsOfCall(em: EntityManager, tenantId: string, callId: string) {
  const ofClinic = tables(em).selectFrom('appointment').where('tenantId', '=', tenantId);
  const rows = await ofClinic.where('callId', '=', callId).select('id').orderBy('id').limit(MOST).execute();
  return rows.map(({ id }) => id);
}
