import { sql } from 'kysely';
import type { TakenMs } from '../../domain/appointments/availability.ts';
import type { TimeRange } from '../../domain/appointments/slot.ts';
import { rowsOf, type EntityManager } from '../connection/statements.ts';

interface Busy {
  professional_id: string;
  /** Each as long as the other; null: never. */
  from_ms: number[] | null;
  until_ms: number[] | null;
}

export interface BusyQuestion {
  tenantId: string;
  professionalIds: readonly string[];
  range: TimeRange;
  /** This one takes no time. */
  ignoreAppointmentId?: string | undefined;
  /** Whether what is held counts as free. */
  includeHeld?: boolean | undefined;
  /** Whether what is blocked counts as free. */
  includeBlocked?: boolean | undefined;
}

/**
 * When each of the professionals is taken, held or blocked within `range`, by professional id, earliest first. Each is looked
 * up alone, by the index of slots, and comes as one row: thousands of rows cost the reader more than the database.
 */
export async function findBusyRanges(
  em: EntityManager,
  {
    tenantId,
    professionalIds,
    range,
    ignoreAppointmentId,
    includeHeld = false,
    includeBlocked = false,
  }: BusyQuestion,
): Promise<Map<string, TakenMs[]>> {
  const within = sql`tstzrange(${range.from}, ${range.until}, '[)')`;
  const rows = await rowsOf<Busy>(em)`
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
          AND (status <> 'held' OR (hold_expires_at > clock_timestamp() AND NOT ${includeHeld}::boolean))
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
  return new Map(rows.map((row) => [row.professional_id, toRanges(row)]));
}

function toRanges({ from_ms, until_ms }: Busy): TakenMs[] {
  return (from_ms ?? []).map((fromMs, nr) => [fromMs, until_ms?.[nr] ?? fromMs]);
}
