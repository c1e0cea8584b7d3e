import { ProfessionalEntity, type ProfessionalRow } from '../entities/professional.entity.ts';
import type { EntityManager } from '../connection/open-database.ts';
import { listedByName, type ListedByName } from './page-by-name.ts';

/** The clinic's professionals by name: all, or a page of them. */
export function listProfessionals(
  em: EntityManager,
  tenantId: string,
  wanted: ListedByName = {},
): Promise<ProfessionalRow[]> {
  const { where, options } = listedByName(tenantId, wanted);
  return em.find(ProfessionalEntity, where, options);
}

/** Active or not; null when the clinic has no such professional. */
export function findProfessional(em: EntityManager, tenantId: string, id: string) {
  return em.findOne(ProfessionalEntity, { tenantId, id });
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
