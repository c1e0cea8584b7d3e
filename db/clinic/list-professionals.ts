import { ProfessionalEntity, type ProfessionalRow } from '../entities/professional.entity.ts';
import type { EntityManager } from '../connection/open-database.ts';

/** The professionals who work at the clinic now, by name. */
export function listProfessionals(em: EntityManager, tenantId: string): Promise<ProfessionalRow[]> {
  return em.find(ProfessionalEntity, { tenantId, active: true }, { orderBy: { name: 'asc', id: 'asc' } });
}
