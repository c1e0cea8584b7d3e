import { uuidv7 } from 'uuidv7';
import { findBookedInCall } from '../../../db/appointments/find-appointment.ts';
import { findBookableService, type BookableService } from '../../../db/appointments/bookable-service.ts';
import {
  areHoldsInTheWay,
  freeHolds,
  releaseHold as release,
  insertHold,
  lockHolder,
  renewHold,
  type HoldOutcome,
  type NewHold,
} from '../../../db/appointments/slot-holds.ts';
import { allOrNothing } from '../../../db/connection/all-or-nothing.ts';
import type { EntityManager } from '../../../db/connection/open-database.ts';
import { HOLD_SECONDS, MAX_HOLDS, type SlotHold } from '../../../domain/appointments/slot-hold.ts';
import { slotFor, withOwnEnd } from '../../../domain/appointments/slot.ts';
import { fieldError, notFound, ServiceError } from '../../../domain/service-error.ts';
import type { CommandContext } from '../../command-context.ts';
import { AlreadyBooked, slotUnavailable } from '../booking-conflict.ts';
import { isOutsideHours } from '../free-times/outside-hours.ts';
import { checkCall, checkLength, checkOffered, checkStart, type BookAppointment } from '../plan-booking.ts';

export interface HoldSlot extends Pick<
  BookAppointment,
  'tenantId' | 'professionalId' | 'startsAt' | 'endsAt' | 'mayBackdate'
> {
  /** By default, a new ID. */
  id?: string | undefined;
  serviceTypeId: string;
  /** 30 to 600; 300 by default. */
  ttlSeconds?: number | undefined;
  /** The call for which the slot is held. */
  callId?: string | null | undefined;
  /** Whether to refuse a time outside the hours; true by default. */
  respectHours?: boolean | undefined;
}

/**
 * Holds a slot for a few minutes, with one statement unless holds are in the way. If the call already holds this slot,
 * its hold is renewed. docs/holds.md Errors: `validation_failed` (unknown ids, a call that has ended),
 * `starts_in_past`, `service_not_offered`, `professional_inactive`, `outside_hours`, `slot_conflict`,
 * `hold_limit_reached`.
 */
export async function holdSlot(
  em: EntityManager,
  { id = uuidv7(), ttlSeconds = HOLD_SECONDS.usual, callId = null, respectHours = true, ...slot }: HoldSlot,
  { actor: heldBy, now }: CommandContext,
): Promise<SlotHold> {
  const service = await lengthOf(em, { ...slot, callId }, now);
  const times = slotFor(slot.startsAt, service);
  checkLength(times);
  const wanted = { ...slot, ...times, callId, heldBy, ttlSeconds, id };
  const asked = { ...wanted, service };
  if (respectHours && (await isOutsideHours(em, asked)))
    throw await slotUnavailable(em, 'outside_hours', asked, now);
  const outcome = await keepFree(em, wanted);
  if (outcome === 'ended') throw fieldError('body.callId', 'The call has ended.');
  if (outcome === 'limited') throw limitReached();
  if (outcome === 'taken')
    throw (await bookedInCall(em, wanted)) ?? (await slotUnavailable(em, 'slot_conflict', asked, now));
  return outcome.held;
}

/** A call that has booked the slot itself must not hear that it is taken. */
async function bookedInCall(em: EntityManager, { callId, ...slot }: NewHold): Promise<AlreadyBooked | null> {
  const booked = callId === null ? null : await findBookedInCall(em, { ...slot, callId });
  return booked && new AlreadyBooked(booked);
}

async function lengthOf(
  em: EntityManager,
  wanted: Omit<HoldSlot, 'callId'> & { callId: string | null },
  now: Date,
): Promise<BookableService> {
  const { startsAt, endsAt } = wanted;
  checkStart(wanted, now);
  const service = await findBookableService(em, wanted);
  checkOffered(wanted, service);
  checkCall(service);
  return endsAt ? withOwnEnd(service, { startsAt, endsAt }) : service;
}

async function keepFree(em: EntityManager, wanted: NewHold): Promise<HoldOutcome> {
  const outcome = await insertHold(em, wanted);
  if (outcome !== 'taken' && outcome !== 'limited') return outcome;
  const isOfCall = wanted.callId !== null;
  const renewed = isOfCall ? await em.transactional((inner) => renewHold(inner, wanted)) : null;
  if (renewed) return { held: renewed };
  // A call at its limit can exchange one of its holds.
  if (outcome === 'limited' && !isOfCall) return outcome;
  const slot = { ...wanted, takenBy: wanted.heldBy };
  if (!(await areHoldsInTheWay(em, [slot]))) return outcome;
  const held = await allOrNothing(em, async (inner) => {
    await lockHolder(inner, wanted);
    await freeHolds(inner, [slot]);
    const again = await insertHold(inner, wanted);
    return typeof again === 'object' ? again : null;
  });
  return held ?? outcome;
}

function limitReached(): ServiceError {
  return new ServiceError(
    'hold_limit_reached',
    `A call can hold at most ${MAX_HOLDS.ofCall} slots at once, and a key ${MAX_HOLDS.ofKey}. Book or release one, or wait until one expires.`,
  );
}

/** Releases a hold. @throws ServiceError `not_found`, also when the hold has expired */
export async function releaseHold(em: EntityManager, tenantId: string, id: string): Promise<void> {
  if (!(await release(em, tenantId, id))) throw notFound('hold', id);
}
