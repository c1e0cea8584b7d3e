import { sql } from 'kysely';
import type { EntityManager } from '../connection/open-database.ts';

/** Ids of the leases that last. A row claimed under another one is as good as free. */
export const LIVING_LEASES = sql`(SELECT worker_id FROM worker_lease WHERE held_until > statement_timestamp())`;

export async function takeLease(em: EntityManager, workerId: string, seconds: number): Promise<void> {
  await sql`
    INSERT INTO worker_lease (worker_id, held_until)
    VALUES (${workerId}, clock_timestamp() + make_interval(secs => ${seconds}))
  `.execute(em.getKysely());
}

/** Returns false when the lease has ended and another worker has taken what was claimed under it. */
export async function renewLease(em: EntityManager, workerId: string, seconds: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    UPDATE worker_lease
    SET held_until = clock_timestamp() + make_interval(secs => ${seconds})
    WHERE worker_id = ${workerId}
  `.execute(em.getKysely());
  return Number(numAffectedRows ?? 0) > 0;
}

/**
 * Ends the leases that nobody has renewed; returns whose. One under which a claim is being made is left for the next time.
 */
export async function endLapsedLeases(em: EntityManager): Promise<string[]> {
  const { rows } = await sql<{ workerId: string }>`
    DELETE FROM worker_lease
    WHERE worker_id IN (
      SELECT worker_id FROM worker_lease WHERE held_until < clock_timestamp() FOR UPDATE SKIP LOCKED
    )
    RETURNING worker_id AS "workerId"
  `.execute(em.getKysely());
  return rows.map(({ workerId }) => workerId);
}

/** Under which ended leases rows are still claimed. Looks at the whole outbox. */
export async function findOrphaningLeases(em: EntityManager): Promise<string[]> {
  const { rows } = await sql<{ workerId: string }>`
    SELECT DISTINCT claimed_by AS "workerId"
    FROM outbox
    WHERE claimed_by IS NOT NULL
      AND NOT EXISTS (SELECT FROM worker_lease WHERE worker_id = claimed_by)
  `.execute(em.getKysely());
  return rows.map(({ workerId }) => workerId);
}

/** Frees what was claimed under leases that have ended, which none ever begins again; returns how many rows. */
export async function freeRowsOf(em: EntityManager, endedLeases: readonly string[]): Promise<number> {
  const { numAffectedRows } = await sql`
    UPDATE outbox
    SET claimed_by = NULL, available_at = clock_timestamp()
    WHERE claimed_by = ANY(${[...endedLeases]}::uuid[])
  `.execute(em.getKysely());
  return Number(numAffectedRows ?? 0);
}

/** Ends a lease. What is claimed under it is to be freed then. */
export async function endLease(em: EntityManager, workerId: string): Promise<void> {
  await sql`DELETE FROM worker_lease WHERE worker_id = ${workerId}`.execute(em.getKysely());
}
