import { sql } from 'kysely';
import type { SlotHold } from '../../../domain/appointments/slot-hold.ts';
import { firstRow, rowsOf, tables, type EntityManager } from '../../connection/statements.ts';

/** What a statement on `tables(em)` returns a `SlotHold` with. */
export const HOLD_COLUMNS = sql`
  id, tenant_id, professional_id, service_type_id, call_id, starts_at, ends_at, block_from, block_until, created_at,
  hold_expires_at AS expires_at
`;

/** Of a row of `calendar_entry`: a hold that nobody has released and whose time has not come, by the database's clock. */
export const IS_LIVE_HOLD = sql`status = 'held' AND blocks AND hold_expires_at > clock_timestamp()`;

/** The clinic's hold, as long as it is not over; else null. */
export function findLiveHold(em: EntityManager, tenantId: string, id: string) {
  return firstRow<SlotHold>(tables(em))`
    SELECT ${HOLD_COLUMNS}
    FROM calendar_entry
    WHERE tenant_id = ${tenantId}
      AND id = ${id}
      AND ${IS_LIVE_HOLD}
  `;
}

/** A talk keeps a few times. */
const MOST_OF_CALL = 20;

/** What was held in a call, over or not, oldest first; holds are kept for a day after their end. */
export function findHoldsOfCall(em: EntityManager, tenantId: string, callId: string) {
  return rowsOf<SlotHold>(tables(em))`
    SELECT ${HOLD_COLUMNS}
    FROM calendar_entry
    WHERE call_id = ${callId}
      AND tenant_id = ${tenantId}
      AND status = 'held'
    ORDER BY id
    LIMIT ${MOST_OF_CALL}
  `;
}
