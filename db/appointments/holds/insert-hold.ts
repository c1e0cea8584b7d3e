import { sql } from 'kysely';
import { MOST_HOLDS, type SlotHold } from '../../../domain/appointments/slot-hold.ts';
import type { EntityManager } from '../../connection/open-database.ts';
import { lockTimeout, WAIT_FOR_RIVALS_MS } from '../../connection/lock-timeout.ts';
import { prepared } from '../../connection/prepared.ts';
import { HOLD_COLUMNS, IS_LIVE_HOLD, readHold, type HoldRow } from './hold-reader.ts';

export interface NewHold extends Omit<SlotHold, 'expiresAt' | 'createdAt'> {
  /** Who asks for it, as the timeline names them. */
  heldBy: string;
  ttlSeconds: number;
}

/** `taken`: the slot belongs to an appointment or to another hold; `limited`: holder or call has as many as it may. */
export type HoldOutcome = { held: SlotHold } | 'taken' | 'limited';

/**
 * Keeps a slot free, by the constraint that keeps appointments apart. What holder and call have is counted in the same
 * statement, so whoever may be limited holds them before: lock-holder.ts
 */
export async function insertHold(em: EntityManager, hold: NewHold): Promise<HoldOutcome> {
  const { rows } = await prepared<HoldRow & { is_limited: boolean }>(em)`
    WITH holder AS (
      SELECT
        coalesce(${countOf(sql`held_by = ${hold.heldBy}`)} >= ${limitOf(hold.heldBy)}::integer, false)
        OR ${countOf(sql`call_id = ${hold.callId}::uuid`)} >= ${MOST_HOLDS.ofCall}::integer AS is_limited
    ), held AS (
      INSERT INTO calendar_entry (
        id, tenant_id, professional_id, service_type_id, call_id, starts_at, ends_at, block_from, block_until,
        status, held_by, hold_expires_at
      )
      SELECT
        ${hold.id}::uuid, ${hold.tenantId}::uuid, ${hold.professionalId}::uuid, ${hold.serviceTypeId}::uuid,
        ${hold.callId}::uuid, ${hold.startsAt}::timestamptz, ${hold.endsAt}::timestamptz,
        ${hold.blockFrom}::timestamptz, ${hold.blockUntil}::timestamptz,
        'held', ${hold.heldBy}, clock_timestamp() + make_interval(secs => ${hold.ttlSeconds}::integer)
      FROM holder
      CROSS JOIN ${lockTimeout(WAIT_FOR_RIVALS_MS.alone)}
      WHERE NOT is_limited
      ON CONFLICT DO NOTHING
      RETURNING ${HOLD_COLUMNS}
    )
    SELECT holder.is_limited, held.* FROM holder LEFT JOIN held ON true
  `;
  const [row] = rows;
  if (!row || row.is_limited) return 'limited';
  return row.id === null ? 'taken' : { held: readHold(em, row) };
}

function countOf(whose: ReturnType<typeof sql>) {
  return sql`(SELECT count(*) FROM calendar_entry WHERE ${IS_LIVE_HOLD} AND ${whose})`;
}

/** Null for none: keys alone are counted, the others have limits of their own. */
function limitOf(heldBy: string): number | null {
  return heldBy.startsWith('key:') ? MOST_HOLDS.ofKey : null;
}
