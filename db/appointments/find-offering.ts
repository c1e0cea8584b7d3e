import type { OwnHours } from '../../domain/clinic/hours/open-ranges.ts';
import { rowsOf, type EntityManager, type RowOf } from '../connection/statements.ts';

/** A service of a clinic and the active professionals who offer it; none if the service is inactive. */
export interface Offering
  extends RowOf<'service_type', 'durationMinutes' | 'bufferMinutes'>, RowOf<'tenant', 'country'> {
  serviceTypeId: string;
  tenantConfig: Record<string, unknown>;
  professionals: (OwnHours & { id: string; name: string })[];
}

/** Null when the clinic has no such service. */
export async function findOffering(em: EntityManager, tenantId: string, serviceTypeId: string) {
  const [offering] = await findOfferings(em, tenantId, [serviceTypeId]);
  return offering ?? null;
}

/** The clinic's services among these ids, ordered by id. */
export function findOfferings(em: EntityManager, tenantId: string, serviceTypeIds: readonly string[]) {
  return rowsOf<Offering>(em)`
    SELECT
      service.id AS "serviceTypeId",
      tenant.config AS "tenantConfig",
      tenant.country,
      service.duration_minutes AS "durationMinutes",
      service.buffer_minutes AS "bufferMinutes",
      (
        SELECT coalesce(json_agg(json_build_object(
          'id', professional.id,
          'name', professional.name,
          'workingHours', professional.working_hours,
          'specialHours', professional.special_hours
        )), '[]')
        FROM professional
        WHERE professional.tenant_id = service.tenant_id
          AND service.active
          AND professional.active
          AND (eligible.ids IS NULL OR professional.id = ANY(eligible.ids))
      ) AS professionals
    FROM service_type service
    JOIN tenant ON tenant.id = service.tenant_id
    CROSS JOIN LATERAL (
      SELECT array_agg(professional_id) AS ids
      FROM service_eligibility
      WHERE service_eligibility.service_type_id = service.id
    ) eligible
    WHERE service.tenant_id = ${tenantId}
      AND service.id = ANY(${[...serviceTypeIds]}::uuid[])
    ORDER BY service.id
  `;
}
