import { MOST_HOLDS, type SlotHold } from '../../../domain/appointments/slot-hold.ts';
import { firstRow, prepared, run, tables, type EntityManager } from '../../connection/statements.ts';
import { WAIT_FOR_RIVALS_MS } from '../../connection/locks.ts';
import { HOLD_COLUMNS, IS_LIVE_HOLD } from './find-holds.ts';

export interface NewHold extends Omit<SlotHold, 'expiresAt' | 'createdAt'> {
  /** Who asks for it, as the timeline names them: of `key:<id>` what it has is counted, others have limits of their own. */
  heldBy: string;
  ttlSeconds: number;
}

/** `taken` by an appointment or another hold; `limited`: key or call has as many as it may; `ended`: the call has. */
export type HoldOutcome = { held: SlotHold } | 'taken' | 'limited' | 'ended';

/**
 * Keeps a slot free, by the constraint that keeps appointments apart, in one statement, which needs no transaction around it.
 * Key and call are locked first, so that what they have can be counted and the end of the call finds what it held.
 */
export async function insertHold(em: EntityManager, hold: NewHold): Promise<HoldOutcome> {
  const entry = JSON.stringify({
    id: hold.id,
    tenant_id: hold.tenantId,
    professional_id: hold.professionalId,
    service_type_id: hold.serviceTypeId,
    call_id: hold.callId,
    starts_at: hold.startsAt,
    ends_at: hold.endsAt,
    block_from: hold.blockFrom,
    block_until: hold.blockUntil,
    held_by: hold.heldBy,
  });
  const [made] = await prepared<SlotHold & { outcome: 'held' | 'taken' | 'limited' | 'ended' }>(tables(em))`
    SELECT outcome, ${HOLD_COLUMNS}
    FROM (
      SELECT outcome, (hold).*
      FROM hold_slot(
        ${entry}::json, ${hold.ttlSeconds}::integer, ${keyIdOf(hold.heldBy)}::uuid, ${MOST_HOLDS.ofKey}::integer,
        ${MOST_HOLDS.ofCall}::integer, ${WAIT_FOR_RIVALS_MS.alone}::integer
      )
    ) AS made
  `;
  if (!made) throw new Error('a hold was neither made nor refused');
  const { outcome, ...held } = made;
  return outcome === 'held' ? { held } : outcome;
}

/** Null for whoever asks without a key. */
export function keyIdOf(heldBy: string): string | null {
  return /^key:(.*)$/.exec(heldBy)?.[1] ?? null;
}

/** The hold that the same call has of this very slot already, kept as long as a new one would be; null without one. */
export function renewHold(em: EntityManager, wanted: NewHold) {
  return firstRow<SlotHold>(tables(em))`
    UPDATE calendar_entry
    SET hold_expires_at =
      greatest(hold_expires_at, clock_timestamp() + make_interval(secs => ${wanted.ttlSeconds}::integer))
    WHERE call_id = ${wanted.callId}::uuid
      AND tenant_id = ${wanted.tenantId}
      AND professional_id = ${wanted.professionalId}
      AND service_type_id = ${wanted.serviceTypeId}
      AND starts_at = ${wanted.startsAt}
      AND ends_at = ${wanted.endsAt}
      AND ${IS_LIVE_HOLD}
    RETURNING ${HOLD_COLUMNS}
  `;
}

/**
 * Locks the key and the call that ask for a hold until the transaction ends. Whoever releases other holds on the way locks
 * them first: as all who hold a time do, so that nobody who has them waits for a slot of somebody who wants them.
 */
export async function lockHolder(em: EntityManager, { tenantId, heldBy, callId }: NewHold): Promise<void> {
  await run(em)`
    SELECT FROM api_key WHERE tenant_id = ${tenantId} AND id = ${keyIdOf(heldBy)}::uuid FOR NO KEY UPDATE
  `;
  await run(em)`
    SELECT FROM call WHERE tenant_id = ${tenantId} AND id = ${callId}::uuid FOR NO KEY UPDATE
  `;
}
