import { ProfessionalEntity, type ProfessionalRow } from '../entities/professional.entity.ts';
import type { Sql } from '../connection/open-database.ts';

/** The professionals who work at the clinic now, by name. */
export function listProfessionals(db: Sql, tenantId: string): Promise<ProfessionalRow[]> {
  return db.find(ProfessionalEntity, { tenantId, active: true }, { orderBy: { name: 'asc', id: 'asc' } });
}
