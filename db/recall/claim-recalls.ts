import { sql } from 'kysely';
import type { EntityManager } from '../connection/open-database.ts';

export interface DueRecall {
  patientPhoneHash: string;
  lastVisitAt: Date;
}

export interface RecallPage {
  /** Recalls that nobody has claimed before; they are this caller's to send. */
  recalls: DueRecall[];
  /** How many patients were looked at: fewer than the limit at the end. */
  patients: number;
  /** The last patient of the page; null when there was none. */
  reachedPhoneHash: string | null;
}

export interface RecallSearch {
  tenantId: string;
  /** Exclusive. */
  afterPhoneHash: string;
  limit: number;
  /** The last visit began before. */
  visitedBefore: Date;
  now: Date;
}

/**
 * Looks at a clinic's next patients and claims a recall for each whose last attended visit lies far enough back and who
 * has no appointment that is still confirmed: it lies ahead, or the patient is just being waited for.
 */
export async function claimRecalls(em: EntityManager, search: RecallSearch): Promise<RecallPage> {
  const { rows } = await sql<PageRow>`
    WITH patient AS (
      SELECT patient_phone_hash
      FROM appointment
      WHERE tenant_id = ${search.tenantId}
        AND patient_phone_hash > ${search.afterPhoneHash}
      GROUP BY patient_phone_hash
      ORDER BY patient_phone_hash
      LIMIT ${search.limit}
    ), due AS (
      SELECT patient.patient_phone_hash, last_visit.starts_at
      FROM patient
      CROSS JOIN LATERAL (${lastVisit(search.tenantId)}) last_visit
      WHERE last_visit.starts_at < ${search.visitedBefore}::timestamptz
        AND NOT EXISTS (
          SELECT FROM appointment
          WHERE tenant_id = ${search.tenantId}
            AND patient_phone_hash = patient.patient_phone_hash
            AND status = 'confirmed'
        )
    ), claimed AS (
      INSERT INTO recall (tenant_id, patient_phone_hash, last_visit_at, created_at)
      SELECT ${search.tenantId}::uuid, patient_phone_hash, starts_at, ${search.now}::timestamptz
      FROM due
      ON CONFLICT DO NOTHING
      RETURNING patient_phone_hash, last_visit_at
    )
    SELECT
      (SELECT count(*)::integer FROM patient) AS patients,
      (SELECT max(patient_phone_hash) FROM patient) AS "reachedPhoneHash",
      claimed.patient_phone_hash AS "patientPhoneHash",
      (extract(epoch FROM claimed.last_visit_at) * 1000)::float8 AS "lastVisitAtMs"
    FROM (SELECT) page
    LEFT JOIN claimed ON true
    ORDER BY claimed.patient_phone_hash
  `.execute(em.getKysely());
  return toPage(rows);
}

function lastVisit(tenantId: string) {
  return sql`
    SELECT starts_at
    FROM appointment
    WHERE tenant_id = ${tenantId}
      AND patient_phone_hash = patient.patient_phone_hash
      AND status = 'attended'
    ORDER BY starts_at DESC
    LIMIT 1
  `;
}

interface PageRow {
  patients: number;
  reachedPhoneHash: string | null;
  patientPhoneHash: string | null;
  lastVisitAtMs: number | null;
}

/** One row for each recall, or a single one without. */
function toPage(rows: readonly PageRow[]): RecallPage {
  const recalls = rows.flatMap(({ patientPhoneHash, lastVisitAtMs }) =>
    patientPhoneHash === null || lastVisitAtMs === null
      ? []
      : [{ patientPhoneHash, lastVisitAt: new Date(lastVisitAtMs) }],
  );
  return {
    recalls,
    patients: rows[0]?.patients ?? 0,
    reachedPhoneHash: rows[0]?.reachedPhoneHash ?? null,
  };
}
