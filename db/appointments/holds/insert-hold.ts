import { MOST_HOLDS, type SlotHold } from '../../../domain/appointments/slot-hold.ts';
import { prepared, tables, type EntityManager } from '../../connection/statements.ts';
import { WAIT_FOR_RIVALS_MS } from '../../connection/locks/lock-timeout.ts';
import { HOLD_COLUMNS } from './hold-columns.ts';

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
