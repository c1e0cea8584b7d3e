import { anyOf, tables, type EntityManager } from '../../connection/statements.ts';

/** Those of the external ids that a current appointment of the clinic bears. */
export async function findTakenExternalIds(
  em: EntityManager,
  tenantId: string,
  externalIds: readonly string[],
): Promise<Set<string>> {
  const rows = await tables(em)
    .selectFrom('appointment')
    .select('externalId')
    .where('tenantId', '=', tenantId)
    .where('externalId', '=', anyOf(externalIds))
    .where('status', 'not in', ['cancelled', 'rescheduled'])
    .$narrowType<{ externalId: string }>()
    .execute();
  return new Set(rows.map(({ externalId }) => externalId));
}
