import { sql, type RawBuilder } from 'kysely';
import { z } from 'zod';
import { MAX_HOLDS, PATIENT, type SlotHold } from '../../domain/appointments/slot-hold.ts';
import { FENCE } from '../connection/fence.ts';
import { columnsOf, listOf } from '../connection/columns.ts';
import {
  changedRows,
  firstRow,
  onlyRow,
  onlyValue,
  prepared,
  rowsOf,
  run,
  type EntityManager,
} from '../connection/statements.ts';
import { WAIT_FOR_RIVALS_MS } from '../connection/locks.ts';
import { lockProfessionals } from '../clinic/professionals.ts';

const SLOT_HOLD = columnsOf(
  'appointment',
  'id',
  'tenantId',
  'professionalId',
  'callId',
  'startsAt',
  'endsAt',
  'blockFrom',
  'blockUntil',
  'createdAt',
).extend({ serviceTypeId: z.string(), expiresAt: z.date() });

const HOLD_COLUMNS = sql`${listOf(SLOT_HOLD.omit({ expiresAt: true }))}, hold_expires_at AS expires_at`;

/**
 * A condition on a row of `calendar_entry`: it is a hold that is neither released nor expired, by the database's clock.
 */
export const IS_LIVE_HOLD = sql`status = 'held' AND blocks AND hold_expires_at > clock_timestamp()`;

/** The clinic's hold if it is live; otherwise null. */
export function findLiveHold(em: EntityManager, tenantId: string, id: string) {
  return firstRow(em, SLOT_HOLD)`
    SELECT ${HOLD_COLUMNS}
    FROM calendar_entry
    WHERE tenant_id = ${tenantId}
      AND id = ${id}
      AND ${IS_LIVE_HOLD}
  `;
}

/** More slots than a call ever holds. */
const MAX_OF_CALL = 20;

/** The holds of a call, valid or expired, oldest first. Holds are stored for a day after they end. */
export function findHoldsOfCall(em: EntityManager, tenantId: string, callId: string) {
  return rowsOf(em, SLOT_HOLD)`
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
  /** The actor as in the timeline. Holds are counted by `key:<id>`; other actors have their own limits. */
  heldBy: string;
  ttlSeconds: number;
}

/**
 * `taken`: an appointment or another hold has the slot. `limited`: the key or call has too many holds. `ended`: the
 * call has ended.
 */
export type HoldOutcome = { held: SlotHold } | 'taken' | 'limited' | 'ended';

const MADE_HOLD = z.discriminatedUnion('outcome', [
  SLOT_HOLD.extend({ outcome: z.literal('held') }),
  z.object({ outcome: z.enum(['taken', 'limited', 'ended']) }),
]);

/**
 * Holds a slot in one statement, which needs no transaction, using the same constraint as appointments. Key and call
 * are locked first, so that their holds can be counted and the end of the call finds them.
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
  const made = await onlyRow(prepared(em), MADE_HOLD)`
    SELECT outcome, ${HOLD_COLUMNS}
    FROM (
      SELECT outcome, (hold).*
      FROM hold_slot(
        ${entry}::json, ${hold.ttlSeconds}::integer, ${keyIdOf(hold.heldBy)}::uuid, ${MAX_HOLDS.ofKey}::integer,
        ${MAX_HOLDS.ofCall}::integer, ${WAIT_FOR_RIVALS_MS.alone}::integer
      )
    ) AS made
  `;
  if (made.outcome !== 'held') return made.outcome;
  const { outcome: _, ...held } = made;
  return { held };
}

/** Null when the actor is not a key. */
export function keyIdOf(heldBy: string): string | null {
  return /^key:(.*)$/.exec(heldBy)?.[1] ?? null;
}

/** Renews the hold that the same call already has of this slot; null without one. */
export function renewHold(em: EntityManager, wanted: NewHold) {
  return firstRow(em, SLOT_HOLD)`
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
 * Locks the key and the call that request a hold until the transaction ends. Callers that also release other holds lock
 * those first. Everyone uses this order, so it cannot deadlock.
 */
export async function lockHolder(em: EntityManager, { tenantId, heldBy, callId }: NewHold): Promise<void> {
  await run(em)`
    SELECT FROM api_key WHERE tenant_id = ${tenantId} AND id = ${keyIdOf(heldBy)}::uuid FOR NO KEY UPDATE
  `;
  await run(em)`
    SELECT FROM call WHERE tenant_id = ${tenantId} AND id = ${callId}::uuid FOR NO KEY UPDATE
  `;
}

/** Releases a slot; returns whether the clinic had such a live hold. */
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
 * Releases the holds of a call. It skips locked rows, so it cannot deadlock with a booking that uses one of these
 * holds. Such a hold is released by the booking, or expires.
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

/** A slot that is about to be taken, and the holds that do not block it. */
export interface SlotToFree {
  tenantId: string;
  professionalId: string;
  blockFrom: Date;
  blockUntil: Date;
  /** The actor who takes the slot, as in the timeline. A patient's hold blocks only other patients. */
  takenBy: string;
  callId?: string | null;
  holdId?: string | undefined;
}

/** Whether `freeHolds` would release a hold in one of these slots. */
export function areHoldsInTheWay(em: EntityManager, slots: readonly SlotToFree[]) {
  return onlyValue(em, z.boolean())`
    SELECT EXISTS (SELECT FROM ${holdsInTheWay(slots, FENCE)}) AS found
  `;
}

/**
 * Releases holds of one clinic in these slots that have expired, are named, belong to the same call, or were made by a
 * patient when someone else takes the slot. The slots are free for this transaction immediately, and for others after
 * its commit. Returns whether a hold was released.
 *
 * Locks the professionals first, like moves and imports, so that two callers that need each other's holds wait instead
 * of deadlocking. Other code that changes holds never waits while it has locked a hold.
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

/**
 * Frees the slot like `freeHolds` for an appointment that may overlap others, and returns whether no other hold is left.
 * The professional must be locked for an overlap, so that none is added.
 */
export async function freeForOverlap(em: EntityManager, slot: SlotToFree): Promise<boolean> {
  await freeHolds(em, [slot]);
  return onlyValue(em, z.boolean())`
    SELECT NOT EXISTS (
      SELECT FROM calendar_entry
      WHERE tenant_id = ${slot.tenantId}
        AND professional_id = ${slot.professionalId}
        AND tstzrange(block_from, block_until, '[)') && tstzrange(${slot.blockFrom}, ${slot.blockUntil}, '[)')
        AND ${IS_LIVE_HOLD}
    ) AS is_free
  `;
}

/** @param fence keeps PostgreSQL from joining the slots, so that each is looked up by the slot index */
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
 * Deletes some holds that expired more than a day ago, and returns how many. Until they are deleted, a late booking
 * receives the error that its hold has expired. Concurrent purges do not wait for each other.
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
