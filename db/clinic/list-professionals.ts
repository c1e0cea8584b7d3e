import { ProfessionalEntity, type ProfessionalRow } from '../entities/professional.entity.ts';
import type { EntityManager } from '../connection/open-database.ts';

/** The professionals who work at the clinic now, or ever did, by name. */
export function listProfessionals(
  em: EntityManager,
  tenantId: string,
  { withInactive = false } = {},
): Promise<ProfessionalRow[]> {
  const where = withInactive ? { tenantId } : { tenantId, active: true };
  return em.find(ProfessionalEntity, where, { orderBy: { name: 'asc', id: 'asc' } });
}
