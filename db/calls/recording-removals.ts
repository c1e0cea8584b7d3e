import { sql } from 'kysely';
import type { EntityManager } from '../connection/open-database.ts';

/** What names the bytes of a recording in the storage. */
export interface StoredBytes {
  id: string;
  tenantId: string;
}

/** Writes down that these bytes are to be removed, after so many seconds of the database's clock. */
export async function planRemoval(
  em: EntityManager,
  { id, tenantId }: StoredBytes,
  afterSeconds: number,
): Promise<void> {
  await sql`
    INSERT INTO recording_removal (recording_id, tenant_id, due_at)
    VALUES (${id}, ${tenantId}, now() + ${afterSeconds} * interval '1 second')
  `.execute(em.getKysely());
}

/** The bytes are gone, or a call has them now. */
export async function dropRemoval(em: EntityManager, { id }: { id: string }): Promise<void> {
  await sql`DELETE FROM recording_removal WHERE recording_id = ${id}`.execute(em.getKysely());
}

/** Takes removals that are due, of all clinics unless told; one that is not dropped is due again after `againAfterSeconds`. */
export async function takeDueRemovals(
  em: EntityManager,
  { limit, againAfterSeconds, tenantId }: { limit: number; againAfterSeconds: number; tenantId?: string },
): Promise<StoredBytes[]> {
  const { rows } = await sql<StoredBytes>`
    UPDATE recording_removal
    SET due_at = now() + ${againAfterSeconds} * interval '1 second'
    WHERE recording_id IN (
      SELECT recording_id
      FROM recording_removal
      WHERE due_at <= now()
        AND ${tenantId === undefined ? sql`true` : sql`tenant_id = ${tenantId}`}
      ORDER BY due_at
      LIMIT ${limit}
      FOR UPDATE SKIP LOCKED
    )
    RETURNING recording_id AS id, tenant_id AS "tenantId"
  `.execute(em.getKysely());
  return rows;
}
