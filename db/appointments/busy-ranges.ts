import { sql } from 'kysely';
import { z } from 'zod';
import type { TakenMs } from '../../domain/appointments/availability.ts';
import type { Slot, TimeRange } from '../../domain/appointments/slot.ts';
import { PATIENT } from '../../domain/appointments/slot-hold.ts';
import { rowsOf, valuesOf, type EntityManager } from '../connection/statements.ts';
import { IS_LIVE_HOLD } from './slot-holds.ts';

const BUSY = z.object({
  professionalId: z.string(),
  /** Arrays of equal length; null when there is none. */
  fromMs: z.array(z.number()).nullable(),
  untilMs: z.array(z.number()).nullable(),
});

export interface BusyQuestion {
  tenantId: string;
  professionalIds: readonly string[];
  range: TimeRange;
  /** The time of this appointment counts as free. */
  ignoreAppointmentId?: string | undefined;
  /** Whether held slots count as free. */
  includeHeld?: boolean | undefined;
  /** Whether a slot that a patient holds counts as taken, as it does for other patients; free by default. */
  isForPatients?: boolean | undefined;
  /** Whether blocked time counts as free. */
  includeBlocked?: boolean | undefined;
}

/**
 * When each professional is booked, held or blocked within `range`, by professional id, earliest first. Each
 * professional is looked up separately with the slot index and returned as one row, because reading thousands of rows
 * would cost this process more than the database.
 */
export async function findBusyRanges(
  em: EntityManager,
  {
    tenantId,
    professionalIds,
    range,
    ignoreAppointmentId,
    includeHeld = false,
    isForPatients = false,
    includeBlocked = false,
  }: BusyQuestion,
): Promise<Map<string, TakenMs[]>> {
  const within = sql`tstzrange(${range.from}, ${range.until}, '[)')`;
  const isHold = includeHeld
    ? sql`false`
    : sql`(hold_expires_at > clock_timestamp() AND (held_by <> ${PATIENT} OR ${isForPatients}::boolean))`;
  const rows = await rowsOf(em, BUSY)`
    SELECT professional.id AS professional_id, taken.*
    FROM unnest(${[...professionalIds]}::uuid[]) AS professional (id)
    CROSS JOIN LATERAL (
      SELECT
        to_json(array_agg((extract(epoch FROM taken_from) * 1000)::bigint ORDER BY taken_from)) AS from_ms,
        to_json(array_agg((extract(epoch FROM taken_until) * 1000)::bigint ORDER BY taken_from)) AS until_ms
      FROM (
        SELECT block_from AS taken_from, block_until AS taken_until
        FROM taken_time
        WHERE tenant_id = ${tenantId}
          AND professional_id = professional.id
          AND (status <> 'held' OR ${isHold})
          ${ignoreAppointmentId === undefined ? sql`` : sql`AND id <> ${ignoreAppointmentId}`}
          AND tstzrange(block_from, block_until, '[)') && ${within}
        UNION ALL
        SELECT starts_at, ends_at
        FROM blocked_time
        WHERE tenant_id = ${tenantId}
          AND (professional_id IS NULL OR professional_id = professional.id)
          AND NOT ${includeBlocked}::boolean
          AND tstzrange(starts_at, ends_at, '[)') && ${within}
      ) AS each
    ) AS taken
  `;
  return new Map(rows.map((row) => [row.professionalId, toRanges(row)]));
}

function toRanges({ fromMs, untilMs }: z.infer<typeof BUSY>): TakenMs[] {
  return (fromMs ?? []).map((from, nr) => [from, untilMs?.[nr] ?? from]);
}

const HELD = z.object({
  professionalId: z.string(),
  fromMs: z.number(),
  untilMs: z.number(),
  expiresMs: z.number(),
});

/**
 * The slots of each professional that are held within `range` by anyone except patients, by professional ID.
 * Professionals without such slots are left out.
 */
export async function findHeldRanges(em: EntityManager, { tenantId, professionalIds, range }: BusyQuestion) {
  const rows = await rowsOf(em, HELD)`
    SELECT
      professional_id,
      (extract(epoch FROM block_from) * 1000)::bigint::float8 AS from_ms,
      (extract(epoch FROM block_until) * 1000)::bigint::float8 AS until_ms,
      (extract(epoch FROM hold_expires_at) * 1000)::bigint::float8 AS expires_ms
    FROM calendar_entry
    WHERE tenant_id = ${tenantId}
      AND professional_id = ANY(${[...professionalIds]}::uuid[])
      AND tstzrange(block_from, block_until, '[)') && tstzrange(${range.from}, ${range.until}, '[)')
      AND held_by <> ${PATIENT}
      AND ${IS_LIVE_HOLD}
  `;
  return Map.groupBy(rows, ({ professionalId }) => professionalId);
}

export interface AskedSlot extends Slot {
  tenantId: string;
  professionalId: string;
}

/** For each slot, in order, whether it overlaps a busy block of its professional or of the whole clinic. */
export async function findBlockedSlots(em: EntityManager, slots: readonly AskedSlot[]): Promise<boolean[]> {
  const asked = slots.map(({ tenantId, professionalId, blockFrom, blockUntil }, nr) => ({
    nr,
    clinic: tenantId,
    professional: professionalId,
    block_from: blockFrom,
    block_until: blockUntil,
  }));
  const blocked = await valuesOf(em, z.number())`
    SELECT asked.nr
    FROM json_to_recordset(${JSON.stringify(asked)}::json) AS asked (
      nr integer, clinic uuid, professional uuid, block_from timestamptz, block_until timestamptz
    )
    WHERE EXISTS (
      SELECT FROM busy_block
      WHERE tenant_id = asked.clinic
        AND (professional_id IS NULL OR professional_id = asked.professional)
        AND tstzrange(starts_at, ends_at, '[)') && tstzrange(asked.block_from, asked.block_until, '[)')
    )
  `;
  const isBlocked = new Set(blocked);
  return slots.map((_, nr) => isBlocked.has(nr));
}
