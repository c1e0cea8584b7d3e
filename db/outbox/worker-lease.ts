import { sql } from 'kysely';
import type { EntityManager } from '../connection/open-database.ts';

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

/** Puts every row back that was claimed under a lease that has ended; returns how many. */
export async function releaseEndedLeases(em: EntityManager): Promise<number> {
  const { numAffectedRows } = await sql`
    WITH ended AS (
      DELETE FROM worker_lease
      WHERE worker_id IN (
        SELECT worker_id FROM worker_lease WHERE held_until < clock_timestamp() FOR UPDATE SKIP LOCKED
      )
      RETURNING worker_id
    )
    UPDATE outbox
    SET claimed_by = NULL, available_at = clock_timestamp()
    WHERE EXISTS (SELECT FROM ended)
      AND claimed_by = ANY(ARRAY(SELECT worker_id FROM ended))
  `.execute(em.getKysely());
  return Number(numAffectedRows ?? 0);
}

/** Ends the lease of a worker that stops, and puts back what it still holds. */
export async function endLease(em: EntityManager, workerId: string): Promise<void> {
  await sql`
    WITH ended AS (
      DELETE FROM worker_lease WHERE worker_id = ${workerId}
    )
    UPDATE outbox
    SET claimed_by = NULL, available_at = clock_timestamp()
    WHERE claimed_by = ${workerId}
  `.execute(em.getKysely());
}
