import { ServiceEligibilityEntity } from '../entities/service-eligibility.entity.ts';
import type { EntityManager } from '../connection/open-database.ts';

/** For each of the clinic's services that names who offers it: their ids. A service not in the map is offered by everybody. */
export async function eligibleProfessionals(
  em: EntityManager,
  tenantId: string,
  serviceTypeIds: readonly string[],
): Promise<Map<string, string[]>> {
  const rows = await em.find(
    ServiceEligibilityEntity,
    { tenantId, serviceTypeId: { $in: [...serviceTypeIds] } },
    { orderBy: { professionalId: 'asc' } },
  );
  const byService = [...Map.groupBy(rows, ({ serviceTypeId }) => serviceTypeId)];
  return new Map(
    byService.map(([id, eligible]) => [id, eligible.map(({ professionalId }) => professionalId)]),
  );
}

/** Makes exactly these professionals the ones who offer the service; nobody listed means everybody. */
export async function setEligibleProfessionals(
  em: EntityManager,
  { tenantId, id: serviceTypeId }: { tenantId: string; id: string },
  professionalIds: readonly string[],
): Promise<void> {
  await em.nativeDelete(ServiceEligibilityEntity, { tenantId, serviceTypeId });
  const rows = professionalIds.map((professionalId) => ({ tenantId, serviceTypeId, professionalId }));
  if (rows.length > 0) await em.insertMany(ServiceEligibilityEntity, rows);
}
