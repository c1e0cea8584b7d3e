import { sql } from 'kysely';
import type { EntityManager } from '../../connection/open-database.ts';

/** Those of the external ids that a current appointment of the clinic bears. */
export async function findTakenExternalIds(
  em: EntityManager,
  tenantId: string,
  externalIds: readonly string[],
): Promise<Set<string>> {
  const { rows } = await sql<{ external_id: string }>`
    SELECT external_id
    FROM appointment
    WHERE tenant_id = ${tenantId}
      AND external_id = ANY(${[...externalIds]}::text[])
      AND status NOT IN ('cancelled', 'rescheduled')
  `.execute(em.getKysely());
  return new Set(rows.map(({ external_id: externalId }) => externalId));
}
