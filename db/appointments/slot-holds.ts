import { sql, type RawBuilder } from 'kysely';
import { MAX_HOLDS, PATIENT, type SlotHold } from '../../domain/appointments/slot-hold.ts';
import {
  changedRows,
  firstRow,
  onlyValue,
  prepared,
  rowsOf,
  run,
  tables,
  type EntityManager,
} from '../connection/statements.ts';
import { WAIT_FOR_RIVALS_MS } from '../connection/locks.ts';
import { lockProfessionals } from '../clinic/professionals.ts';

/** What a statement on `tables(em)` returns a `SlotHold` with. */
export const HOLD_COLUMNS = sql`
  id, tenant_id, professional_id, service_type_id, call_id, starts_at, ends_at, block_from, block_until, created_at,
  hold_expires_at AS expires_at
`;

/** Of a row of `calendar_entry`: a hold that no one has released and whose time has not come, by the database's clock. */
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
const MAX_OF_CALL = 20;

/** What was held in a call, over or not, oldest first; holds are kept for a day after their end. */
export function findHoldsOfCall(em: EntityManager, tenantId: string, callId: string) {
  return rowsOf<SlotHold>(tables(em))`
    SELECT ${HOLD_COLUMNS}
    FROM calendar_entry
    WHERE call_id = ${callId}
      AND tenant_id = ${tenantId}
      AND status = 'held'
    ORDER BY id
    LIMIT ${MAX_OF_CALL}
  `;
}

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
        ${entry}::json, ${hold.ttlSeconds}::integer, ${keyIdOf(hold.heldBy)}::uuid, ${MAX_HOLDS.ofKey}::integer,
        ${MAX_HOLDS.ofCall}::integer, ${WAIT_FOR_RIVALS_MS.alone}::integer
      )
    ) AS made
  `;
  if (!made) throw new Error('a hold was neither made nor refused');
  const { outcome, ...held } = made;
  return outcome === 'held' ? { held } : outcome;
}

/** Null for anyone who asks without a key. */
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
 * Locks the key and the call that ask for a hold until the transaction ends. Anyone who releases other holds on the way locks
 * them first: as all who hold a time do, so that no one who has them waits for a slot of someone who wants them.
 */
export async function lockHolder(em: EntityManager, { tenantId, heldBy, callId }: NewHold): Promise<void> {
  await run(em)`
    SELECT FROM api_key WHERE tenant_id = ${tenantId} AND id = ${keyIdOf(heldBy)}::uuid FOR NO KEY UPDATE
  `;
  await run(em)`
    SELECT FROM call WHERE tenant_id = ${tenantId} AND id = ${callId}::uuid FOR NO KEY UPDATE
  `;
}

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
 * Lets go what a call holds. It waits for no one, so that it cannot deadlock with a booking that takes one of them: that one is
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

/** Whether a hold is within one of the slots that `freeHolds` would release. */
export function areHoldsInTheWay(em: EntityManager, slots: readonly SlotToFree[]) {
  return onlyValue<boolean>(em)`
    SELECT EXISTS (SELECT FROM ${holdsInTheWay(slots, sql`OFFSET 0`)}) AS found
  `;
}

/**
 * Releases the holds in these slots of one clinic that have ended, are named, are of the same call, or are a patient's where no patient takes the slot; the slots are free then
 * for this transaction, and for others once it ends. Returns whether any was released.
 *
 * The professionals are held first, as by moves and imports: of two that release holds each in the way of the other, one
 * waits with empty hands. Anyone else who changes a hold waits for no one while it does.
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
 * Removes some holds whose time came a day ago, and returns how many: until then a late booking learns that its hold has ended.
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
