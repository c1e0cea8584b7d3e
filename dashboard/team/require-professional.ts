import { findProfessional } from '../../db/clinic/professionals.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import type { ProfessionalRow } from '../../db/entities/professional.entity.ts';
import { notFound } from '../../domain/service-error.ts';
import type { ClinicRequest } from '../serving/page-request.ts';

/** The professional in the address. Errors: `not_found`. */
export async function requireProfessional(
  em: EntityManager,
  { tenantId, id }: Pick<ClinicRequest, 'tenantId' | 'id'>,
): Promise<ProfessionalRow> {
  const professional = await findProfessional(em, tenantId, id);
  if (!professional) throw notFound('professional', id);
  return professional;
}
