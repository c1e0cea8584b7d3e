import { onlyRow, run, type EntityManager } from '../connection/statements.ts';

interface Patient {
  tenantId: string;
  /** As it may stand in rows. */
  patientPhoneHashes: readonly string[];
}

/** How many appointments patients have booked by themselves; moved ones once. */
export interface SelfBooked {
  byPhoneInADay: number;
  byClinicInADay: number;
  byClinicInAnHour: number;
}

/**
 * What a phone and all of the clinic's patients have booked by themselves of late. Others who ask about the clinic wait until this
 * transaction ends, so that together they cannot book more than each may.
 */
export async function countSelfBooked(em: EntityManager, { tenantId, patientPhoneHashes }: Patient) {
  await run(em)`
    SELECT pg_advisory_xact_lock(hashtextextended(${`self-service ${tenantId}`}, 0))
  `;
  // Nothing is older than its last change, which has an index.
  return onlyRow<SelfBooked>(em)`
    SELECT
      (count(*) FILTER (WHERE patient_phone_hash = ANY(${[...patientPhoneHashes]}::text[])))::integer AS "byPhoneInADay",
      count(*)::integer AS "byClinicInADay",
      (count(*) FILTER (WHERE created_at > clock_timestamp() - interval '1 hour'))::integer AS "byClinicInAnHour"
    FROM appointment
    WHERE tenant_id = ${tenantId}
      AND updated_at > clock_timestamp() - interval '1 day'
      AND created_at > clock_timestamp() - interval '1 day'
      AND source = 'self_service'
      AND rescheduled_from_id IS NULL
  `;
}
