import { sql } from 'kysely';
import { z } from 'zod';
import { firstIdAt } from '../../domain/first-id.ts';
import { READ_KINDS } from '../../domain/patient-read.ts';
import { listOf } from '../connection/columns.ts';
import { changedRows, prepared, rowsOf, run, type EntityManager } from '../connection/statements.ts';

/** An entry of the access log: patients shown to one reader, in one or more requests of the same second. */
const PATIENT_READ = z.object({
  /** UUIDv7 with the time. */
  id: z.string(),
  tenantId: z.string(),
  /** `person:<id>`, `key:<id>` or `portal:<id>`. */
  actor: z.string(),
  kind: z.enum(READ_KINDS),
  /** Ids of appointments or calls. */
  subjectIds: z.array(z.string()),
  requestIds: z.array(z.string()),
});
export type PatientRead = z.infer<typeof PATIENT_READ>;

/** Inserts entries. It can be repeated when the outcome is unknown. */
export async function insertPatientReads(em: EntityManager, reads: readonly PatientRead[]): Promise<void> {
  await run(prepared(em))`
    INSERT INTO patient_read (id, tenant_id, actor, kind, subject_ids, request_ids)
    SELECT id, "tenantId", actor, kind, "subjectIds", "requestIds"
    FROM json_to_recordset(${JSON.stringify(reads)}::json) AS shown (
      id uuid, "tenantId" uuid, actor text, kind text, "subjectIds" uuid[], "requestIds" uuid[]
    )
    ON CONFLICT DO NOTHING
  `;
}

export interface PatientReadQuery {
  tenantId: string;
  /** Only entries about one of these IDs. */
  subjectIds?: readonly string[] | undefined;
  /** Inclusive. */
  since?: Date | undefined;
  /** Exclusive. */
  until?: Date | undefined;
  actor?: string | undefined;
  /** The id of the last entry already shown. */
  before?: string | undefined;
  /** All by default. */
  limit?: number | undefined;
}

const SHOWN = listOf(PATIENT_READ);

/** Access log entries, newest first. */
export async function listPatientReads(em: EntityManager, wanted: PatientReadQuery): Promise<PatientRead[]> {
  const { tenantId, subjectIds, since, until, actor, before, limit } = wanted;
  const conditions = [
    sql`tenant_id = ${tenantId}`,
    ...(subjectIds ? [sql`subject_ids && ${[...subjectIds]}::uuid[]`] : []),
    ...(since ? [sql`id >= ${firstIdAt(since)}`] : []),
    ...(until ? [sql`id < ${firstIdAt(until)}`] : []),
    ...(actor === undefined ? [] : [sql`actor = ${actor}`]),
    ...(before === undefined ? [] : [sql`id < ${before}`]),
  ];
  return rowsOf(em, PATIENT_READ)`
    SELECT ${SHOWN}
    FROM shown_patient
    WHERE ${sql.join(conditions, sql` AND `)}
    ORDER BY id DESC
    LIMIT ${limit ?? null}::bigint
  `;
}

/** A page of entries in order of time, for reading all of them. */
export function pageOfPatientReads(
  em: EntityManager,
  tenantId: string,
  { after, limit }: { after: string | null; limit: number },
) {
  return rowsOf(em, PATIENT_READ)`
    SELECT ${SHOWN}
    FROM patient_read
    WHERE tenant_id = ${tenantId}
      AND ${after === null ? sql`true` : sql`id > ${after}`}
    ORDER BY id
    LIMIT ${limit}
  `;
}

/** Deletes entries of that age. Returns how many; fewer than `limit` means that none is left. */
export async function prunePatientReads(
  em: EntityManager,
  { olderThanDays, limit }: { olderThanDays: number; limit: number },
): Promise<number> {
  const before = firstIdAt(new Date(), -olderThanDays * 86_400_000);
  return changedRows(em)`
    DELETE FROM patient_read
    WHERE id = ANY (ARRAY(
      SELECT id
      FROM patient_read
      WHERE id < ${before}
      ORDER BY id
      LIMIT ${limit}
    ))
  `;
}
