import { sql } from 'kysely';
import type { Sql } from './open-database.ts';

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

/** What a booking must know of its service and professional, in one question; null when there is no such service. */
export async function findBookableService(
  tx: Sql,
  tenantId: string,
  serviceTypeId: string,
  professionalId: string,
): Promise<BookableService | null> {
  const { rows } = await sql<BookableService>`
    /* prepared: find-bookable-service */
    SELECT
      tenant.name AS "tenantName",
      tenant.config AS "tenantConfig",
      service.duration_minutes AS "durationMinutes",
      service.buffer_minutes AS "bufferMinutes",
      service.active AS "serviceActive",
      professional.active AS "professionalActive",
      (SELECT count(*) = 0 OR bool_or(eligible.professional_id = ${professionalId})
       FROM service_eligibility eligible
       WHERE eligible.service_type_id = service.id) AS offered
    FROM service_type service
    JOIN tenant ON tenant.id = service.tenant_id
    LEFT JOIN professional ON professional.tenant_id = service.tenant_id AND professional.id = ${professionalId}
    WHERE service.tenant_id = ${tenantId}
      AND service.id = ${serviceTypeId}
  `.execute(tx.getKysely());
  return rows[0] ?? null;
}
