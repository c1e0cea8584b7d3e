import { eligibleProfessionals } from '../../clinic/services.ts';
import { hasAllAppointments } from '../../clinic/stored-usage.ts';
import type { EntityManager } from '../../connection/open-database.ts';
import { ProfessionalEntity, type ProfessionalRow } from '../../entities/professional.entity.ts';
import { ServiceTypeEntity, type ServiceTypeRow } from '../../entities/service-type.entity.ts';
import { TenantEntity } from '../../entities/tenant.entity.ts';

/** The clinic's data that imported appointments refer to, by id. */
export interface ClinicOfVisits {
  tenantName: string;
  /** The clinic has reached its limit of stored appointments. */
  isFull: boolean;
  professionals: ReadonlyMap<string, Pick<ProfessionalRow, 'id' | 'active'>>;
  services: ReadonlyMap<string, ServiceOfVisits>;
}

export interface ServiceOfVisits extends Pick<
  ServiceTypeRow,
  'durationMinutes' | 'bufferMinutes' | 'active'
> {
  /** Empty when all professionals offer the service. */
  offeredBy: readonly string[];
}

export interface NamedByVisit {
  professionalId: string;
  serviceTypeId?: string | null | undefined;
}

/** The clinic with the given professionals and services as far as they exist, active or not. */
export async function readClinicOfVisits(
  em: EntityManager,
  tenantId: string,
  visits: readonly NamedByVisit[],
): Promise<ClinicOfVisits> {
  const professionalIds = new Set(visits.map(({ professionalId }) => professionalId));
  const serviceIds = new Set(visits.flatMap(({ serviceTypeId }) => serviceTypeId ?? []));
  const { name: tenantName } = await em.findOneOrFail(TenantEntity, { id: tenantId }, { fields: ['name'] });
  const professionals = await em.find(
    ProfessionalEntity,
    { tenantId, id: { $in: [...professionalIds] } },
    { fields: ['active'] },
  );
  const services = await em.find(
    ServiceTypeEntity,
    { tenantId, id: { $in: [...serviceIds] } },
    { fields: ['durationMinutes', 'bufferMinutes', 'active'] },
  );
  const offered = await eligibleProfessionals(em, tenantId, [...serviceIds]);
  return {
    tenantName,
    isFull: await hasAllAppointments(em, tenantId),
    professionals: new Map(professionals.map((each) => [each.id, each])),
    services: new Map(services.map((each) => [each.id, { ...each, offeredBy: offered.get(each.id) ?? [] }])),
  };
}
