import { sql } from 'kysely';
import type { EntityManager } from '../connection/open-database.ts';

interface Patient {
  tenantId: string;
  patientPhoneHash: string;
}

/**
 * How many appointments a phone has booked by itself within the last day, moved ones once. Others who ask for the same phone wait until
 * this transaction ends, so that together they cannot book more than each may.
 */
export async function countSelfBooked(
  em: EntityManager,
  { tenantId, patientPhoneHash }: Patient,
): Promise<number> {
  await sql`
    SELECT pg_advisory_xact_lock(hashtextextended(${`self-service ${tenantId} ${patientPhoneHash}`}, 0))
  `.execute(em.getKysely());
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::integer AS count
    FROM appointment
    WHERE tenant_id = ${tenantId}
      AND patient_phone_hash = ${patientPhoneHash}
      AND source = 'self_service'
      AND rescheduled_from_id IS NULL
      AND created_at > clock_timestamp() - interval '1 day'
  `.execute(em.getKysely());
  return rows[0]?.count ?? 0;
}
