import { sql } from 'kysely';
import { z } from 'zod';
import { FENCE } from '../connection/fence.ts';
import { columnsOf } from '../connection/columns.ts';
import { prepared, rowsOf, type EntityManager } from '../connection/statements.ts';
import { IS_LIVE_HOLD } from './slot-holds.ts';

const PROFESSIONAL = columnsOf('professional', 'active', 'name', 'workingHours', 'specialHours').shape;

/** The columns of the service that a booking needs, with the professional's hours. */
const BOOKABLE_SERVICE = columnsOf('service_type', 'durationMinutes', 'bufferMinutes').extend({
  ...columnsOf('tenant', 'country').shape,
  tenantName: z.string(),
  tenantConfig: columnsOf('tenant', 'config').shape.config,
  /** Whether the clinic has reached its limit of stored appointments. */
  isClinicFull: z.boolean(),
  /** Null when the clinic has no such service, or none is requested: then its length and buffer are 0. */
  serviceActive: z.boolean().nullable(),
  /** Null when the clinic has no such professional. */
  professionalActive: PROFESSIONAL.active.nullable(),
  professionalName: PROFESSIONAL.name.nullable(),
  workingHours: PROFESSIONAL.workingHours,
  specialHours: PROFESSIONAL.specialHours,
  /** Whether the clinic has the call, or no call is given. */
  isCallKnown: z.boolean(),
  /** Whether the service lists this professional, or lists no one. */
  offered: z.boolean(),
});

export interface BookableService extends z.infer<typeof BOOKABLE_SERVICE> {
  /** The given hold, expired or not; null when none is given or the clinic has no such hold. */
  hold: NamedHold | null;
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
  /** The hold on the slot. */
  holdId?: string | undefined;
}

/** What a booking needs to know about its service and professional; null when there is no such clinic. */
export async function findBookableService(em: EntityManager, wanted: WantedService) {
  const [service] = await findBookableServices(em, [wanted]);
  return service ?? null;
}

/** Like `findBookableService`, for many bookings with one query. The results are in the order of the bookings. */
export async function findBookableServices(
  em: EntityManager,
  wanted: readonly WantedService[],
): Promise<(BookableService | null)[]> {
  const rows = await askServices(em, wanted);
  const byNumber = new Map(rows.map((row) => [row.nr, { ...row, hold: holdIn(row) }]));
  return wanted.map((_, nr) => byNumber.get(nr) ?? null);
}

const SERVICE_ROW = BOOKABLE_SERVICE.extend({
  nr: z.number(),
  holdOf: z.string().nullable(),
  holdAt: z.date().nullable(),
  holdUntil: z.date().nullable(),
  isHoldLive: z.boolean().nullable(),
});
type ServiceRow = z.infer<typeof SERVICE_ROW>;

const IS_CLINIC_FULL = sql`coalesce(
  (SELECT appointments >= max_appointments FROM clinic_usage WHERE tenant_id = tenant.id),
  false
)`;

function askServices(em: EntityManager, wanted: readonly WantedService[]): Promise<ServiceRow[]> {
  return rowsOf(prepared(em), SERVICE_ROW)`
    SELECT
      wanted.nr AS nr,
      tenant.name AS tenant_name,
      tenant.config AS tenant_config,
      tenant.country AS country,
      tenant.is_full AS is_clinic_full,
      coalesce(service.duration_minutes, 0) AS duration_minutes,
      coalesce(service.buffer_minutes, 0) AS buffer_minutes,
      service.active AS service_active,
      professional.active AS professional_active,
      professional.name AS professional_name,
      professional.working_hours AS working_hours,
      professional.special_hours AS special_hours,
      wanted.call IS NULL OR EXISTS (
        SELECT FROM call WHERE call.tenant_id = wanted.clinic AND call.id = wanted.call
      ) AS is_call_known,
      hold.professional_id AS hold_of,
      hold.starts_at AS hold_at,
      hold.ends_at AS hold_until,
      hold.is_live AS is_hold_live,
      (SELECT count(*) = 0 OR bool_or(eligible.professional_id = wanted.professional)
       FROM service_eligibility eligible
       WHERE eligible.service_type_id = wanted.service) AS offered
    FROM json_to_recordset(${askedAsJson(wanted)}::json) AS wanted (
      nr integer, clinic uuid, service uuid, professional uuid, call uuid, hold uuid
    )
    CROSS JOIN LATERAL (
      SELECT name, config, country, ${IS_CLINIC_FULL} AS is_full
      FROM tenant
      WHERE id = wanted.clinic
      ${FENCE}
    ) tenant
    LEFT JOIN LATERAL (
      SELECT duration_minutes, buffer_minutes, active
      FROM service_type
      WHERE tenant_id = wanted.clinic AND id = wanted.service
      ${FENCE}
    ) service ON true
    LEFT JOIN LATERAL (
      SELECT name, active, working_hours, special_hours
      FROM professional
      WHERE tenant_id = wanted.clinic AND id = wanted.professional
      ${FENCE}
    ) professional ON true
    LEFT JOIN LATERAL (
      SELECT professional_id, starts_at, ends_at, ${IS_LIVE_HOLD} AS is_live
      FROM calendar_entry
      WHERE tenant_id = wanted.clinic AND id = wanted.hold AND status = 'held'
      ${FENCE}
    ) hold ON true
  `;
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

function holdIn({ holdOf, holdAt, holdUntil, isHoldLive }: ServiceRow): NamedHold | null {
  if (holdOf === null || holdAt === null || holdUntil === null) return null;
  return { professionalId: holdOf, startsAt: holdAt, endsAt: holdUntil, isLive: isHoldLive === true };
}
