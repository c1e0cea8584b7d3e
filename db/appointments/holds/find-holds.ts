import type { SlotHold } from '../../../domain/appointments/slot-hold.ts';
import { firstRow, rowsOf, tables, type EntityManager } from '../../connection/statements.ts';
import { HOLD_COLUMNS, IS_LIVE_HOLD } from './hold-columns.ts';

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
