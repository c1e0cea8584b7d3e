import { sql } from 'kysely';
import { z } from 'zod';
import { columnsOf } from '../connection/columns.ts';
import { changedRows, firstRow, rowsOf, run, type EntityManager } from '../connection/statements.ts';

/** The name under which a migration started this work when the comparison of names changed. */
const PROGRESS = 'name_hash:letters';

/** By then, no process of the previous version writes hashes any longer. */
const SECOND_PASS_AFTER = '1 day';

const NAME_PASS = z.object({ after: z.string().nullable() });

/** Where to continue; null when no pass over the names is due. */
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

/** Ends a pass. A second pass follows the first one. */
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

/** The next appointments whose patient has a name, ordered by ID. @param tenantId null: all clinics */
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

/** Replaces the hashes of names that have not changed since they were read. Returns how many. */
export function replaceNameHashes(em: EntityManager, rows: readonly NamedRow[]): Promise<number> {
  return changedRows(em)`
    UPDATE appointment AS stored
    SET name_hash = given."nameHash", name_tokens = given."nameTokens"::bigint[]
    FROM json_to_recordset(${JSON.stringify(rows)}::json)
      AS given (id uuid, "tenantId" uuid, "patientName" text, "nameHash" text, "nameTokens" text)
    WHERE stored.id = given.id AND stored.tenant_id = given."tenantId" AND stored.patient_name = given."patientName"
  `;
}
