import { changedRows, run, type EntityManager } from '../../connection/statements.ts';
import { IS_LIVE_HOLD } from './hold-columns.ts';

/** Lets a slot go; returns whether the clinic had such a hold that was not over. */
export async function releaseHold(em: EntityManager, tenantId: string, id: string): Promise<boolean> {
  const changed = await changedRows(em)`
    UPDATE calendar_entry
    SET blocks = false, updated_at = clock_timestamp()
    WHERE tenant_id = ${tenantId}
      AND id = ${id}
      AND ${IS_LIVE_HOLD}
  `;
  return changed > 0;
}

/**
 * Lets go what a call holds. It waits for nobody, so that it cannot deadlock with a booking that takes one of them: that one is
 * let go by the booking, or ends by itself.
 */
export function releaseHoldsOfCall(em: EntityManager, tenantId: string, callId: string) {
  return run(em)`
    UPDATE calendar_entry
    SET blocks = false, updated_at = clock_timestamp()
    WHERE id IN (
      SELECT id
      FROM calendar_entry
      WHERE call_id = ${callId}
        AND tenant_id = ${tenantId}
        AND ${IS_LIVE_HOLD}
      FOR NO KEY UPDATE SKIP LOCKED
    )
  `;
}
