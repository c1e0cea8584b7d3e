import { sql } from 'kysely';
import type { EntityManager } from '../connection/open-database.ts';

/** Forgets who has signed in to the clinic, and every way in that is still open. Returns how many people; they are few. */
export async function erasePeople(em: EntityManager, tenantId: string): Promise<number> {
  const db = em.getKysely();
  await sql`DELETE FROM session WHERE tenant_id = ${tenantId}`.execute(db);
  await sql`DELETE FROM portal_link WHERE tenant_id = ${tenantId}`.execute(db);
  const { numAffectedRows } = await sql`DELETE FROM person WHERE tenant_id = ${tenantId}`.execute(db);
  return Number(numAffectedRows ?? 0);
}
