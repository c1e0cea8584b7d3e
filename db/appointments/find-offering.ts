import { sql } from 'kysely';
import type { OwnHours } from '../../domain/clinic/open-ranges.ts';
import type { EntityManager } from '../connection/open-database.ts';

/** An active service with the active professionals who offer it. */
export interface Offering {
  tenantConfig: Record<string, unknown>;
  durationMinutes: number;
  bufferMinutes: number;
  professionals: (OwnHours & { id: string })[];
}

/** Null when the clinic does not offer the service now. */
export async function findOffering(
  em: EntityManager,
  tenantId: string,
  serviceTypeId: string,
): Promise<Offering | null> {
  const { rows } = await sql<Offering>`
    SELECT
      tenant.config AS "tenantConfig",
      service.duration_minutes AS "durationMinutes",
      service.buffer_minutes AS "bufferMinutes",
      (
        SELECT coalesce(json_agg(json_build_object(
          'id', professional.id,
          'workingHours', professional.working_hours,
          'specialHours', professional.special_hours
        )), '[]')
        FROM professional
        WHERE professional.tenant_id = service.tenant_id
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
      AND service.id = ${serviceTypeId}
      AND service.active
  `.execute(em.getKysely());
  return rows[0] ?? null;
}
