import { sql } from 'kysely';
import { z } from 'zod';
import { columnsOf } from '../connection/columns.ts';
import { changedRows, firstRow, rowsOf, run, type EntityManager } from '../connection/statements.ts';

/** As the migration began it that changed how names are compared. */
const PROGRESS = 'name_hash:letters';

/** Until a process of the version before writes no hash any more. */
const SECOND_PASS_AFTER = '1 day';

const NAME_PASS = z.object({ after: z.string().nullable() });

/** Where to go on; null: no pass over the names is due. */
export function findNamePass(em: EntityManager) {
  return firstRow(em, NAME_PASS)`
    SELECT position[1] AS after
    FROM sealing_progress
    WHERE table_name = ${PROGRESS} AND done_at IS NULL AND next_at <= now()
  `;
}

export function saveNamePass(em: EntityManager, after: string) {
  return run(em)`UPDATE sealing_progress SET position = ARRAY[${after}] WHERE table_name = ${PROGRESS}`;
}

/** After the first pass comes a second one. */
export function endNamePass(em: EntityManager) {
  return run(em)`
    UPDATE sealing_progress
    SET position = NULL,
      done_at = CASE WHEN next_at > '-infinity' THEN now() END,
      next_at = now() + ${SECOND_PASS_AFTER}::interval
    WHERE table_name = ${PROGRESS}
  `;
}

const NAMED_ROW = columnsOf('appointment', 'id', 'tenantId', 'patientName', 'nameHash', 'nameTokens');
export type NamedRow = z.infer<typeof NAMED_ROW>;

/** The next appointments whose patient has a name, by id. @param tenantId null: of every clinic */
export function pageOfNames(
  em: EntityManager,
  { tenantId, after, limit }: { tenantId: string | null; after: string | null; limit: number },
) {
  return rowsOf(em, NAMED_ROW)`
    SELECT id, tenant_id, patient_name, name_hash, name_tokens::text AS name_tokens
    FROM appointment
    WHERE name_hash IS NOT NULL
      AND ${tenantId === null ? sql`true` : sql`tenant_id = ${tenantId}`}
      AND ${after === null ? sql`true` : sql`id > ${after}::uuid`}
    ORDER BY id
    LIMIT ${limit}
  `;
}

/** Puts other hashes beside names that are still the same; returns how many. */
export function replaceNameHashes(em: EntityManager, rows: readonly NamedRow[]): Promise<number> {
  return changedRows(em)`
    UPDATE appointment AS stored
    SET name_hash = given."nameHash", name_tokens = given."nameTokens"::bigint[]
    FROM json_to_recordset(${JSON.stringify(rows)}::json)
      AS given (id uuid, "tenantId" uuid, "patientName" text, "nameHash" text, "nameTokens" text)
    WHERE stored.id = given.id AND stored.tenant_id = given."tenantId" AND stored.patient_name = given."patientName"
  `;
}
