import { findProfessional } from '../../db/clinic/professionals.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import type { ProfessionalRow } from '../../db/entities/professional.entity.ts';
import { notFound } from '../../domain/service-error.ts';
import type { ClinicRequest } from '../serving/page-request.ts';

type OfProfessional = Pick<ClinicRequest, 'tenantId' | 'path'>;

export const idOf = ({ path }: Pick<OfProfessional, 'path'>) => path['id'] ?? '';

/** Whom the page is about. Errors: `not_found`. */
export async function requireProfessional(
  em: EntityManager,
  request: OfProfessional,
): Promise<ProfessionalRow> {
  const id = idOf(request);
  const professional = await findProfessional(em, request.tenantId, id);
  if (!professional) throw notFound('professional', id);
  return professional;
}
