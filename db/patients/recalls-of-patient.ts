import { sql } from 'kysely';
import { z } from 'zod';
import { shownPhoneHash } from '../../domain/patients/shown-phone-hash.ts';
import { changedRows, rowsOf, type EntityManager } from '../connection/statements.ts';
import type { VisitOfPatient } from './appointments-of-patient.ts';

/** How a patient's recalls are found. */
export interface RecalledPatient {
  tenantId: string;
  /** Phone hashes that only this patient uses. */
  own: readonly string[];
  /** The patient's appointments with phones that other patients use too. */
  visits: readonly VisitOfPatient[];
}

/** Removes the patient from recalls; the recalls stay. Returns how many. */
export function eraseRecalls(em: EntityManager, patient: RecalledPatient) {
  return changedRows(em)`
    UPDATE recall
    SET patient_phone_hash = encode(sha256(convert_to(gen_random_uuid()::text, 'UTF8')), 'hex')
    WHERE ${recallsOf(patient)}
  `;
}

const RECALL_OF_PATIENT = z.object({
  lastVisitAt: z.date(),
  createdAt: z.date(),
});

export function findRecallsOfPatient(em: EntityManager, patient: RecalledPatient) {
  return rowsOf(em, RECALL_OF_PATIENT)`
    SELECT last_visit_at, created_at FROM recall WHERE ${recallsOf(patient)} ORDER BY last_visit_at
  `;
}

const STORED_RECALL = RECALL_OF_PATIENT.extend({ patientPhoneHash: z.string() });

export interface RecallOfClinic extends z.infer<typeof STORED_RECALL> {
  /** Hash and last visit: unique in the clinic, and the order of pages. */
  id: string;
}

/** The clinic's recalls, a page at a time. @param after the `id` of the last one */
export async function pageOfRecalls(
  em: EntityManager,
  tenantId: string,
  { after, limit }: { after: string | null; limit: number },
): Promise<RecallOfClinic[]> {
  const [hash, lastVisitAt] = after?.split(' ') ?? [];
  const rows = await rowsOf(em, STORED_RECALL)`
    SELECT patient_phone_hash, last_visit_at, created_at
    FROM recall
    WHERE tenant_id = ${tenantId}
      AND ${after === null ? sql`true` : sql`(patient_phone_hash, last_visit_at) > (${hash}, ${lastVisitAt}::timestamptz)`}
    ORDER BY patient_phone_hash, last_visit_at
    LIMIT ${limit}
  `;
  return rows.map((row) => ({
    ...row,
    id: `${row.patientPhoneHash} ${row.lastVisitAt.toISOString()}`,
    patientPhoneHash: shownPhoneHash(row.patientPhoneHash),
  }));
}

function recallsOf({ tenantId, own, visits }: RecalledPatient) {
  const hashes = visits.map(({ patientPhoneHash }) => patientPhoneHash);
  const starts = visits.map(({ startsAt }) => startsAt);
  return sql<boolean>`
    tenant_id = ${tenantId}
    AND (
      patient_phone_hash = ANY(${[...own]}::text[])
      OR (patient_phone_hash, last_visit_at) IN (SELECT * FROM unnest(${hashes}::text[], ${starts}::timestamptz[]))
    )
  `;
}
