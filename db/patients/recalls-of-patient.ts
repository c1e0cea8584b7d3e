import { sql } from 'kysely';
import { shownPhoneHash } from '../../domain/patients/shown-phone-hash.ts';
import type { EntityManager } from '../connection/open-database.ts';
import type { VisitOfPatient } from './appointments-of-patient.ts';

/** By what a patient's recalls are found. */
export interface RecalledPatient {
  tenantId: string;
  /** Hashes of phones that are nobody else's. */
  own: readonly string[];
  /** Under phones that others use, too. */
  visits: readonly VisitOfPatient[];
}

/** That somebody was called back stays; who it was does not. Returns how often. */
export async function eraseRecalls(em: EntityManager, patient: RecalledPatient): Promise<number> {
  const { numAffectedRows } = await sql`
    UPDATE recall
    SET patient_phone_hash = encode(sha256(convert_to(gen_random_uuid()::text, 'UTF8')), 'hex')
    WHERE ${recallsOf(patient)}
  `.execute(em.getKysely());
  return Number(numAffectedRows ?? 0);
}

export interface RecallOfPatient {
  lastVisitAt: Date;
  createdAt: Date;
}

export async function findRecallsOfPatient(
  em: EntityManager,
  patient: RecalledPatient,
): Promise<RecallOfPatient[]> {
  const { rows } = await sql<Record<keyof RecallOfPatient, string>>`
    SELECT last_visit_at AS "lastVisitAt", created_at AS "createdAt"
    FROM recall
    WHERE ${recallsOf(patient)}
    ORDER BY last_visit_at
  `.execute(em.getKysely());
  return rows.map(({ lastVisitAt, createdAt }) => ({
    lastVisitAt: new Date(lastVisitAt),
    createdAt: new Date(createdAt),
  }));
}

export interface RecallOfClinic extends RecallOfPatient {
  /** Hash and last visit: unique in the clinic, and the order of the pages. */
  id: string;
  patientPhoneHash: string;
}

/** The clinic's recalls, a page at a time. @param after the `id` of the last one */
export async function pageOfRecalls(
  em: EntityManager,
  tenantId: string,
  { after, limit }: { after: string | null; limit: number },
): Promise<RecallOfClinic[]> {
  const [hash, lastVisitAt] = after?.split(' ') ?? [];
  const { rows } = await sql<Record<keyof RecallOfClinic, string>>`
    SELECT patient_phone_hash AS "patientPhoneHash", last_visit_at AS "lastVisitAt", created_at AS "createdAt"
    FROM recall
    WHERE tenant_id = ${tenantId}
      AND ${after === null ? sql`true` : sql`(patient_phone_hash, last_visit_at) > (${hash}, ${lastVisitAt}::timestamptz)`}
    ORDER BY patient_phone_hash, last_visit_at
    LIMIT ${limit}
  `.execute(em.getKysely());
  return rows.map((row) => {
    const [visit, createdAt] = [new Date(row.lastVisitAt), new Date(row.createdAt)];
    const { patientPhoneHash } = row;
    return {
      id: `${patientPhoneHash} ${visit.toISOString()}`,
      patientPhoneHash: shownPhoneHash(patientPhoneHash),
      lastVisitAt: visit,
      createdAt,
    };
  });
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
