import { ProfessionalEntity, type ProfessionalRow } from '../entities/professional.entity.ts';
import type { EntityManager } from '../connection/open-database.ts';
import { laterByName, type PageByName } from './page-by-name.ts';

/** The professionals who work at the clinic now, or ever did, by name: all, or a page of them. */
export function listProfessionals(
  em: EntityManager,
  tenantId: string,
  { withInactive = false, page }: { withInactive?: boolean; page?: PageByName } = {},
): Promise<ProfessionalRow[]> {
  const where = { tenantId, ...(!withInactive && { active: true }), ...(page && laterByName(page)) };
  const limit = page && { limit: page.limit };
  return em.find(ProfessionalEntity, where, { orderBy: { name: 'asc', id: 'asc' }, ...limit });
}

/** What those of the clinic's professionals are called who have these ids, by id. */
export async function findProfessionalNames(
  em: EntityManager,
  tenantId: string,
  ids: Iterable<string>,
): Promise<Map<string, string>> {
  const rows = await em.find(ProfessionalEntity, { tenantId, id: { $in: [...ids] } }, { fields: ['name'] });
  return new Map(rows.map(({ id, name }) => [id, name]));
}
