import type { EntityManager } from '../connection/open-database.ts';
import { prepared } from '../connection/prepared.ts';

export interface BookableService {
  tenantName: string;
  tenantConfig: Record<string, unknown>;
  durationMinutes: number;
  bufferMinutes: number;
  serviceActive: boolean;
  /** Null when the clinic has no such professional. */
  professionalActive: boolean | null;
  /** Whether the service lists this professional, or lists nobody. */
  offered: boolean;
}

export interface WantedService {
  tenantId: string;
  serviceTypeId: string;
  professionalId: string;
}

/** What a booking must know of its service and professional; null when there is no such service. */
export async function findBookableService(
  em: EntityManager,
  wanted: WantedService,
): Promise<BookableService | null> {
  const [service] = await findBookableServices(em, [wanted]);
  return service ?? null;
}

/** The same for many bookings in one question, in their order. */
export async function findBookableServices(
  em: EntityManager,
  wanted: readonly WantedService[],
): Promise<(BookableService | null)[]> {
  const { rows } = await prepared<BookableService & { nr: number }>(em)`
    SELECT
      wanted.nr::int AS "nr",
      tenant.name AS "tenantName",
      tenant.config AS "tenantConfig",
      service.duration_minutes AS "durationMinutes",
      service.buffer_minutes AS "bufferMinutes",
      service.active AS "serviceActive",
      professional.active AS "professionalActive",
      (SELECT count(*) = 0 OR bool_or(eligible.professional_id = wanted.professional_id)
       FROM service_eligibility eligible
       WHERE eligible.service_type_id = service.id) AS offered
    FROM unnest(
      ${wanted.map(({ tenantId }) => tenantId)}::uuid[],
      ${wanted.map(({ serviceTypeId }) => serviceTypeId)}::uuid[],
      ${wanted.map(({ professionalId }) => professionalId)}::uuid[]
    ) WITH ORDINALITY AS wanted (tenant_id, service_type_id, professional_id, nr)
    JOIN service_type service ON service.tenant_id = wanted.tenant_id AND service.id = wanted.service_type_id
    JOIN tenant ON tenant.id = wanted.tenant_id
    LEFT JOIN professional
      ON professional.tenant_id = wanted.tenant_id AND professional.id = wanted.professional_id
  `;
  const byNumber = new Map(rows.map(({ nr, ...service }) => [nr, service]));
  return wanted.map((_, at) => byNumber.get(at + 1) ?? null);
}
