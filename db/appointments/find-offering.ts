import { z } from 'zod';
import { columnsOf } from '../connection/columns.ts';
import { rowsOf, type EntityManager } from '../connection/statements.ts';

/** A service of a clinic with the active professionals who offer it. An inactive service has no professionals. */
const OFFERING = columnsOf('service_type', 'durationMinutes', 'bufferMinutes').extend({
  ...columnsOf('tenant', 'country').shape,
  serviceTypeId: z.string(),
  tenantConfig: columnsOf('tenant', 'config').shape.config,
  professionals: z.array(columnsOf('professional', 'id', 'name', 'workingHours', 'specialHours')),
});
export type Offering = z.infer<typeof OFFERING>;

/** Null when the clinic has no such service. */
export async function findOffering(em: EntityManager, tenantId: string, serviceTypeId: string) {
  const [offering] = await findOfferings(em, tenantId, [serviceTypeId]);
  return offering ?? null;
}

/** The clinic's services among these ids, ordered by id. */
export function findOfferings(em: EntityManager, tenantId: string, serviceTypeIds: readonly string[]) {
  return rowsOf(em, OFFERING)`
    SELECT
      service.id AS service_type_id,
      tenant.config AS tenant_config,
      tenant.country,
      service.duration_minutes,
      service.buffer_minutes,
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
