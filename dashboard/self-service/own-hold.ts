import { uuidv7 } from 'uuidv7';
import { holdSlot } from '../../commands/appointments/holds/hold-slot.ts';
import { findLiveHold, releaseHold } from '../../db/appointments/slot-holds.ts';
import type { SlotHold } from '../../domain/appointments/slot-hold.ts';
import { isUuid } from '../../domain/row-id.ts';
import { isCorrectable, timeValue, type ChosenTime } from '../appointments/time-choice.ts';
import type { Reply } from '../serving/page-request.ts';
import { readFields } from '../serving/read-fields.ts';
import { mayHold } from './address-limit.ts';
import { chosenFields, timesAddress, type Chosen } from './chosen.ts';
import { idOfMade } from './form-id.ts';
import type { Guest } from './guest.ts';
import { requireFree, sameTimeWithAnother } from './offered-times.ts';

/** The patient's hold, by the browser's cookie; null when it has expired. */
export async function findOwnHold(guest: Guest): Promise<SlotHold | null> {
  const { heldId } = guest;
  return heldId === null || !isUuid(heldId) ? null : findHold(guest, heldId);
}

function findHold({ clinic, read }: Guest, id: string): Promise<SlotHold | null> {
  return read((em) => findLiveHold(em, clinic.id, id));
}

export function isHoldOf(hold: SlotHold | null, { service, time }: Chosen): hold is SlotHold {
  return (
    hold?.serviceTypeId === service &&
    hold.professionalId === time.professionalId &&
    hold.startsAt.getTime() === time.startsAt.getTime()
  );
}

/** Holds the chosen time, replaces an earlier hold, and redirects to the form. */
export async function holdChosen(guest: Guest): Promise<Reply> {
  const { form, home } = guest;
  const chosen = readFields(chosenFields, form).fields;
  if (!chosen) return { to: home };
  const professional = form.get('professional') ?? '';
  const held =
    (await holdTime(guest, chosen)) ?? (professional === '' && (await holdWithAnother(guest, chosen)));
  if (!held) return { to: `${timesAddress(guest, chosen, professional)}&taken=yes` };
  const query = new URLSearchParams({ service: chosen.service, professional, time: timeValue(held) });
  return { to: `${home}/details?${query.toString()}` };
}

/**
 * Holds the time with another professional, for a patient without a preference, who has not been shown a professional
 * yet.
 */
async function holdWithAnother(guest: Guest, chosen: Chosen): Promise<ChosenTime | null> {
  const time = await sameTimeWithAnother(guest, chosen);
  return time && holdTime(guest, { ...chosen, time });
}

/** Holds a time; null when it was taken. */
async function holdTime(guest: Guest, chosen: Chosen): Promise<ChosenTime | null> {
  const own = await findOwnHold(guest);
  const id = idOfMade(guest.form) ?? uuidv7();
  try {
    if (!isHoldOf(own, chosen)) await holdInstead(guest, { ...chosen, id }, own);
  } catch (error) {
    // A double click holds it once.
    const made = await findHold(guest, id);
    if (made) guest.keepHold(id);
    else if (!isCorrectable(error)) throw error;
    return made;
  }
  return chosen.time;
}

type ToHold = Chosen & { id: string };

async function holdInstead(guest: Guest, chosen: ToHold, earlier: SlotHold | null): Promise<void> {
  const { clinic, write } = guest;
  if (earlier) await write((em) => releaseHold(em, clinic.id, earlier.id));
  await requireFree(guest, chosen);
  const hold = await keepFree(guest, chosen);
  if (hold) guest.keepHold(hold.id);
}

/** Creates the hold; null when the limit of holds is reached. The time can still be booked if it is free then. */
async function keepFree(guest: Guest, { id, service, time }: ToHold): Promise<SlotHold | null> {
  const { clinic, context, write } = guest;
  if (!(await mayHold(guest))) return null;
  const slot = { id, tenantId: clinic.id, serviceTypeId: service, ...time, mayBackdate: false };
  return write((em) => holdSlot(em, slot, { ...context, actor: 'patient' }));
}
