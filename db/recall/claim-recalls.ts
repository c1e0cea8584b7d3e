import { sql, type RawBuilder } from 'kysely';
import { z } from 'zod';
import { rowsOf, type EntityManager } from '../connection/statements.ts';
import { PATIENT_KEY as KEY } from '../patients/patient-key.ts';

export interface DueRecall {
  patientPhoneHash: string;
  /** Null when none of the patient's appointments has an external ID. */
  patientExternalId: string | null;
  lastVisitAt: Date;
}

export interface RecallPage {
  /** New recalls that this caller must send. */
  recalls: DueRecall[];
  /** The number of patients checked; fewer than the limit at the end. */
  patients: number;
  /** The last patient of the page; null when there was none. */
  reachedKey: string | null;
}

export interface RecallSearch {
  tenantId: string;
  /** Exclusive. */
  afterKey: string;
  limit: number;
  /** The latest allowed start of the last appointment. */
  visitedBefore: Date;
  now: Date;
}

/**
 * Checks a clinic's next patients and claims a recall for each whose last attended appointment is long enough ago and
 * who has no confirmed appointment, upcoming or current. An appointment is claimed only once, because `recalled_visit`
 * records it.
 */
export async function claimRecalls(em: EntityManager, search: RecallSearch): Promise<RecallPage> {
  const { tenantId, now } = search;
  const rows = await rowsOf(em, PAGE_ROW)`
    WITH RECURSIVE patient AS (${nextPatients(search)}), due AS (
      SELECT visit.*
      FROM patient
      CROSS JOIN LATERAL (${lastVisit(tenantId)}) visit
      WHERE visit.starts_at < ${search.visitedBefore}::timestamptz
        AND NOT EXISTS (
          SELECT FROM appointment WHERE tenant_id = ${tenantId} AND ${KEY} = patient.key AND status = 'confirmed'
        )
        AND NOT EXISTS (${cameOrComesWithoutNumber(tenantId)})
    ), claimed AS (
      INSERT INTO recalled_visit (tenant_id, appointment_id, created_at)
      SELECT ${tenantId}::uuid, id, ${now}::timestamptz
      FROM due
      ON CONFLICT DO NOTHING
      RETURNING appointment_id
    ), told AS (
      INSERT INTO recall (tenant_id, patient_phone_hash, last_visit_at, created_at)
      SELECT ${tenantId}::uuid, patient_phone_hash, starts_at, ${now}::timestamptz
      FROM due
      JOIN claimed ON claimed.appointment_id = due.id
      ON CONFLICT DO NOTHING
    )
    SELECT
      (SELECT count(*)::integer FROM patient) AS patients,
      (SELECT max(key) FROM patient) AS reached_key,
      recall.patient_phone_hash, recall.patient_external_id, recall.starts_at AS last_visit_at
    FROM (SELECT) page
    LEFT JOIN (SELECT due.* FROM due JOIN claimed ON claimed.appointment_id = due.id) recall ON true
    ORDER BY recall.key
  `;
  return toPage(rows);
}

/** The keys of the next patients, found by one index lookup each, however many appointments they have. */
function nextPatients({ tenantId, afterKey, limit }: RecallSearch): RawBuilder<unknown> {
  const following = (key: RawBuilder<unknown>) => sql`
    SELECT ${KEY} AS key
    FROM appointment
    WHERE tenant_id = ${tenantId} AND ${KEY} > ${key}
    ORDER BY ${KEY}
    LIMIT 1
  `;
  return sql`
    SELECT key, 1 AS nr FROM (${following(sql`${afterKey}`)}) first
    UNION ALL
    SELECT following.key, nr + 1
    FROM patient
    CROSS JOIN LATERAL (${following(sql`patient.key`)}) following
    WHERE nr < ${limit}
  `;
}

function lastVisit(tenantId: string): RawBuilder<unknown> {
  return sql`
    SELECT patient.key, id, starts_at, patient_phone_hash, name_hash, patient_external_id
    FROM appointment
    WHERE tenant_id = ${tenantId} AND ${KEY} = patient.key AND status = 'attended'
    ORDER BY starts_at DESC, id DESC
    LIMIT 1
  `;
}

/**
 * A condition: someone with the same phone and name came later or has an appointment. It is the same patient if one of
 * the two appointments has no external ID.
 */
function cameOrComesWithoutNumber(tenantId: string): RawBuilder<unknown> {
  return sql`
    SELECT
    FROM appointment other
    WHERE other.tenant_id = ${tenantId}
      AND other.patient_phone_hash = visit.patient_phone_hash
      AND (other.status = 'confirmed' OR (other.status = 'attended' AND other.starts_at > visit.starts_at))
      AND (other.patient_external_id IS NULL) <> (visit.patient_external_id IS NULL)
      AND other.name_hash = visit.name_hash
  `;
}

const PAGE_ROW = z.object({
  patients: z.number(),
  reachedKey: z.string().nullable(),
  patientPhoneHash: z.string().nullable(),
  patientExternalId: z.string().nullable(),
  lastVisitAt: z.date().nullable(),
});
type PageRow = z.infer<typeof PAGE_ROW>;

/** One row per recall, or a single row without. */
function toPage(rows: readonly PageRow[]): RecallPage {
  const recalls = rows.flatMap(({ patientPhoneHash, patientExternalId, lastVisitAt }) =>
    patientPhoneHash === null || lastVisitAt === null
      ? []
      : [{ patientPhoneHash, patientExternalId, lastVisitAt }],
  );
  return { recalls, patients: rows[0]?.patients ?? 0, reachedKey: rows[0]?.reachedKey ?? null };
}
