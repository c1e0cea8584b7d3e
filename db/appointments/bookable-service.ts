import { sql } from 'kysely';
import type { OwnHours } from '../../domain/clinic/hours/open-ranges.ts';
import { prepared, type EntityManager, type RowOf } from '../connection/statements.ts';
import { IS_LIVE_HOLD } from './slot-holds.ts';

/** Includes the professional's hours. */
export interface BookableService
  extends OwnHours, RowOf<'service_type', 'durationMinutes' | 'bufferMinutes'>, RowOf<'tenant', 'country'> {
  tenantName: string;
  tenantConfig: Record<string, unknown>;
  /** The clinic has reached its limit of stored appointments. */
  isClinicFull: boolean;
  /** Null when the clinic has no such service, or none is requested: then its length and buffer are 0. */
  serviceActive: boolean | null;
  /** Null when the clinic has no such professional. */
  professionalActive: boolean | null;
  professionalName: string | null;
  /** Whether the clinic has the call, or no call is given. */
  isCallKnown: boolean;
  /** The given hold, expired or not; null when none is given or the clinic has no such hold. */
  hold: NamedHold | null;
  /** Whether the service lists this professional, or lists no one. */
  offered: boolean;
}

export interface NamedHold {
  professionalId: string;
  startsAt: Date;
  endsAt: Date;
  isLive: boolean;
}

export interface WantedService {
  tenantId: string;
  /** Null for none. */
  serviceTypeId: string | null;
  professionalId: string;
  /** The call in which it is booked. */
  callId?: string | null;
  /** The hold that keeps the slot. */
  holdId?: string | undefined;
}

/** What a booking needs to know about its service and professional; null when there is no such clinic. */
export async function findBookableService(em: EntityManager, wanted: WantedService) {
  const [service] = await findBookableServices(em, [wanted]);
  return service ?? null;
}

/** The same for many bookings in one query, in their order. */
export async function findBookableServices(
  em: EntityManager,
  wanted: readonly WantedService[],
): Promise<(BookableService | null)[]> {
  const rows = await askServices(em, wanted);
  const byNumber = new Map(rows.map(({ nr, ...row }) => [nr, { ...row, hold: holdIn(em, row) }]));
  return wanted.map((_, nr) => byNumber.get(nr) ?? null);
}

interface ServiceRow extends Omit<BookableService, 'hold'> {
  nr: number;
  holdOf: string | null;
  holdAt: string | null;
  holdUntil: string | null;
  isHoldLive: boolean | null;
}

const IS_CLINIC_FULL = sql`coalesce(
  (SELECT appointments >= max_appointments FROM clinic_usage WHERE tenant_id = tenant.id),
  false
)`;

async function askServices(em: EntityManager, wanted: readonly WantedService[]): Promise<ServiceRow[]> {
  const rows = await prepared<ServiceRow>(em)`
    SELECT
      wanted.nr AS "nr",
      tenant.name AS "tenantName",
      tenant.config AS "tenantConfig",
      tenant.country AS "country",
      tenant.is_full AS "isClinicFull",
      coalesce(service.duration_minutes, 0) AS "durationMinutes",
      coalesce(service.buffer_minutes, 0) AS "bufferMinutes",
      service.active AS "serviceActive",
      professional.active AS "professionalActive",
      professional.name AS "professionalName",
      professional.working_hours AS "workingHours",
      professional.special_hours AS "specialHours",
      wanted.call IS NULL OR EXISTS (
        SELECT FROM call WHERE call.tenant_id = wanted.clinic AND call.id = wanted.call
      ) AS "isCallKnown",
      hold.professional_id AS "holdOf",
      hold.starts_at AS "holdAt",
      hold.ends_at AS "holdUntil",
      hold.is_live AS "isHoldLive",
      (SELECT count(*) = 0 OR bool_or(eligible.professional_id = wanted.professional)
       FROM service_eligibility eligible
       WHERE eligible.service_type_id = wanted.service) AS offered
    FROM json_to_recordset(${askedAsJson(wanted)}::json) AS wanted (
      nr integer, clinic uuid, service uuid, professional uuid, call uuid, hold uuid
    )
    -- Fenced off by OFFSET, so that each is looked up by its key: see docs/decisions/0031.
    CROSS JOIN LATERAL (
      SELECT name, config, country, ${IS_CLINIC_FULL} AS is_full
      FROM tenant
      WHERE id = wanted.clinic
      OFFSET 0
    ) tenant
    LEFT JOIN LATERAL (
      SELECT duration_minutes, buffer_minutes, active
      FROM service_type
      WHERE tenant_id = wanted.clinic AND id = wanted.service
      OFFSET 0
    ) service ON true
    LEFT JOIN LATERAL (
      SELECT name, active, working_hours, special_hours
      FROM professional
      WHERE tenant_id = wanted.clinic AND id = wanted.professional
      OFFSET 0
    ) professional ON true
    LEFT JOIN LATERAL (
      SELECT professional_id, starts_at, ends_at, ${IS_LIVE_HOLD} AS is_live
      FROM calendar_entry
      WHERE tenant_id = wanted.clinic AND id = wanted.hold AND status = 'held'
      OFFSET 0
    ) hold ON true
  `;
  return rows;
}

function askedAsJson(wanted: readonly WantedService[]): string {
  const asked = wanted.map(({ tenantId, serviceTypeId, professionalId, callId, holdId }, nr) => ({
    nr,
    clinic: tenantId,
    service: serviceTypeId,
    professional: professionalId,
    call: callId ?? null,
    hold: holdId ?? null,
  }));
  return JSON.stringify(asked);
}

function holdIn(
  em: EntityManager,
  { holdOf, holdAt, holdUntil, isHoldLive }: Omit<ServiceRow, 'nr'>,
): NamedHold | null {
  if (holdOf === null || holdAt === null || holdUntil === null) return null;
  const platform = em.getPlatform();
  return {
    professionalId: holdOf,
    startsAt: platform.parseDate(holdAt),
    endsAt: platform.parseDate(holdUntil),
    isLive: isHoldLive === true,
  };
}
