import { sql } from 'kysely';
import type { EntityManager } from '../connection/open-database.ts';

/** The service's clinic; the service is held against other changes until the transaction ends. Null when there is none. */
export async function lockService(em: EntityManager, id: string): Promise<{ tenantId: string } | null> {
  const { rows } = await sql<{ tenantId: string }>`
    SELECT tenant_id AS "tenantId" FROM service_type WHERE id = ${id} FOR NO KEY UPDATE
  `.execute(em.getKysely());
  return rows[0] ?? null;
}
