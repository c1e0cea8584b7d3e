import { sql, type RawBuilder } from 'kysely';
import { z } from 'zod';
import type { OutboxMessage } from '../../domain/outbox-message.ts';
import { prepared, rowsOf, type EntityManager } from '../connection/statements.ts';
import { CLAIMED_ROW_COLUMNS, claimRows, CLAIMED_ROW } from './claim-rows.ts';
import { CLINIC_OF_MESSAGE, dueInFairOrder, type Waiting } from './fair-order.ts';

const CLAIMED_MESSAGE = CLAIMED_ROW.extend({
  message: z.custom<OutboxMessage>(
    (message) => typeof message === 'object' && message !== null && 'kind' in message,
  ),
});
export type ClaimedMessage = z.infer<typeof CLAIMED_MESSAGE>;

/**
 * Claims messages that are neither deliveries (`claim-first-attempts.ts`) nor bursts (`burst-rows.ts`) nor timers,
 * with clinics taking turns. A message waits for earlier messages with the same key.
 */
export function claimMessages(em: EntityManager, workerId: string, limit: number): Promise<ClaimedMessage[]> {
  return claim(em, workerId, dueInFairOrder(limit, MESSAGES));
}

const CLINIC = sql.raw(CLINIC_OF_MESSAGE);

const MESSAGES: Waiting = {
  rows: sql`endpoint_id IS NULL AND due_at IS NULL AND NOT attempted`,
  clinic: CLINIC,
  mayGo: sql`(
    ordering_key IS NULL
    OR NOT EXISTS (
      SELECT FROM outbox earlier
      WHERE earlier.ordering_key = candidate.ordering_key
        AND earlier.id < candidate.id
    )
  )`,
};

/** Claims timers, with clinics taking turns. Within a clinic, the timer that is due first comes first. */
export function claimTimers(em: EntityManager, workerId: string, limit: number): Promise<ClaimedMessage[]> {
  return claim(em, workerId, dueInFairOrder(limit, TIMERS));
}

const TIMERS: Waiting = {
  rows: sql`due_at IS NOT NULL`,
  clinic: CLINIC,
  first: sql`due_at`,
};

/** @param due statement parts that end in `due`: the rows to claim, locked */
function claim(em: EntityManager, workerId: string, due: RawBuilder<unknown>) {
  return rowsOf(prepared(em), CLAIMED_MESSAGE)`
    WITH ${claimRows(workerId, due)}
    SELECT ${CLAIMED_ROW_COLUMNS}, claimed.message
    FROM claimed
    ORDER BY claimed.id
  `;
}
