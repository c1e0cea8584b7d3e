import { sql } from 'kysely';
import type { EntityManager } from '../connection/open-database.ts';

/**
 * Holds these professionals of the clinic until the transaction ends, in one order for everybody, so that moves between the
 * same ones wait instead of deadlocking.
 */
export async function lockProfessionals(
  em: EntityManager,
  tenantId: string,
  ids: readonly string[],
): Promise<void> {
  await sql`
    SELECT id FROM professional
    WHERE tenant_id = ${tenantId}
      AND id = ANY(${[...ids]}::uuid[])
    ORDER BY id
    FOR NO KEY UPDATE
  `.execute(em.getKysely());
}
