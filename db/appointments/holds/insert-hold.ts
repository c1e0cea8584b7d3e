import { MOST_HOLDS, type SlotHold } from '../../../domain/appointments/slot-hold.ts';
import type { EntityManager } from '../../connection/open-database.ts';
import { WAIT_FOR_RIVALS_MS } from '../../connection/locks/lock-timeout.ts';
import { prepared } from '../../connection/prepared.ts';
import { HOLD_COLUMNS, readHold, type HoldRow } from './hold-reader.ts';

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
  const { rows } = await prepared<HoldRow & { outcome: 'held' | 'taken' | 'limited' | 'ended' }>(em)`
    SELECT outcome, ${HOLD_COLUMNS}
    FROM (
      SELECT outcome, (hold).*
      FROM hold_slot(
        ${entry}::json, ${hold.ttlSeconds}::integer, ${keyIdOf(hold.heldBy)}::uuid, ${MOST_HOLDS.ofKey}::integer,
        ${MOST_HOLDS.ofCall}::integer, ${WAIT_FOR_RIVALS_MS.alone}::integer
      )
    ) AS made
  `;
  const [row] = rows;
  if (!row) throw new Error('a hold was neither made nor refused');
  return row.outcome === 'held' ? { held: readHold(em, row) } : row.outcome;
}

/** Null for whoever asks without a key. */
export function keyIdOf(heldBy: string): string | null {
  return /^key:(.*)$/.exec(heldBy)?.[1] ?? null;
}
