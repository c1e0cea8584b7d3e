import { ProfessionalEntity } from '../../../db/entities/professional.entity.ts';
import type { EntityManager } from '../../../db/connection/open-database.ts';
import { fieldError } from '../../../domain/service-error.ts';

/** The ids, sorted and each once. @throws ServiceError `validation_failed` when one is not a professional of the clinic */
export async function professionalsOfClinic(em: EntityManager, tenantId: string, ids: readonly string[]) {
  const wanted = [...new Set(ids.map((id) => id.toLowerCase()))].sort();
  if (wanted.length === 0) return [];
  const found = await em.find(ProfessionalEntity, { tenantId, id: { $in: wanted } }, { fields: ['id'] });
  const known = new Set(found.map(({ id }) => id));
  const unknown = wanted.filter((id) => !known.has(id));
  if (unknown.length === 0) return wanted;
  throw fieldError(
    'body.eligibleProfessionalIds',
    `The clinic has no professional with the id ${unknown.join(', ')}.`,
  );
}
