import { sql, type RawBuilder } from 'kysely';
import { changedRows, onlyValue, run, type EntityManager } from '../../connection/statements.ts';
import { PATIENT } from '../../../domain/appointments/slot-hold.ts';
import { IS_LIVE_HOLD } from './find-holds.ts';
import { lockProfessionals } from '../../clinic/professionals.ts';

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

/** A slot that is to be taken, and whose own holds are no obstacle to it. */
export interface SlotToFree {
  tenantId: string;
  professionalId: string;
  blockFrom: Date;
  blockUntil: Date;
  /** Who takes it, as the timeline names them: what a patient holds is in the way of other patients only. */
  takenBy: string;
  callId?: string | null;
  holdId?: string | undefined;
}

/** Whether a hold lies in one of the slots that `freeHolds` would release. */
export function areHoldsInTheWay(em: EntityManager, slots: readonly SlotToFree[]) {
  return onlyValue<boolean>(em)`
    SELECT EXISTS (SELECT FROM ${holdsInTheWay(slots, sql`OFFSET 0`)}) AS found
  `;
}

/**
 * Releases the holds in these slots of one clinic that are over, are named, are of the same call, or are a patient's where no patient takes the slot; the slots are free then
 * for this transaction, and for others once it ends. Returns whether any was released.
 *
 * The professionals are held first, as by moves and imports: of two that release holds each in the way of the other, one
 * waits with empty hands. Whoever else changes a hold waits for nobody while it does.
 */
export async function freeHolds(em: EntityManager, slots: readonly SlotToFree[]): Promise<boolean> {
  const [first] = slots;
  if (!first) return false;
  const professionalIds = slots.map(({ professionalId }) => professionalId);
  await lockProfessionals(em, first.tenantId, professionalIds);
  const changed = await changedRows(em)`
    UPDATE calendar_entry
    SET blocks = false, updated_at = clock_timestamp()
    WHERE id IN (SELECT id FROM ${holdsInTheWay(slots, sql`FOR NO KEY UPDATE`)})
  `;
  return changed > 0;
}

/** @param fence keeps each slot from being joined, so that it is looked up by the index of slots */
function holdsInTheWay(slots: readonly SlotToFree[], fence: RawBuilder<unknown>): RawBuilder<unknown> {
  const wanted = slots.map(
    ({ tenantId, professionalId, blockFrom, blockUntil, takenBy, callId, holdId }) => ({
      clinic: tenantId,
      professional: professionalId,
      from: blockFrom,
      until: blockUntil,
      by_patient: takenBy === PATIENT,
      call: callId,
      hold: holdId,
    }),
  );
  return sql`(
    SELECT hold.id
    FROM json_to_recordset(${JSON.stringify(wanted)}::json) AS wanted (
      clinic uuid, professional uuid, "from" timestamptz, until timestamptz, by_patient boolean, call uuid, hold uuid
    )
    CROSS JOIN LATERAL (
      SELECT id
      FROM calendar_entry
      WHERE tenant_id = wanted.clinic
        AND professional_id = wanted.professional
        AND tstzrange(block_from, block_until, '[)') && tstzrange(wanted.from, wanted.until, '[)')
        AND blocks
        AND status = 'held'
        AND (
          hold_expires_at <= clock_timestamp()
          OR call_id = wanted.call
          OR id = wanted.hold
          OR (held_by = ${PATIENT} AND NOT wanted.by_patient)
        )
      ${fence}
    ) hold
  ) AS in_the_way`;
}

/**
 * Removes some holds whose time came a day ago, and returns how many: until then a late booking learns that its hold is over.
 * Purges that run at the same time do not wait for each other.
 */
export function purgeHolds(em: EntityManager, atMost: number): Promise<number> {
  return changedRows(em)`
    DELETE FROM calendar_entry
    WHERE id IN (
      SELECT id
      FROM calendar_entry
      WHERE status = 'held'
        AND hold_expires_at < now() - interval '1 day'
      ORDER BY hold_expires_at
      LIMIT ${atMost}
      FOR UPDATE SKIP LOCKED
    )
  `;
}
