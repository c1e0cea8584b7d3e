import { findCollidingAppointments, type CollidingAppointment } from '../../../db/clinic/busy-blocks.ts';
import type { EntityManager } from '../../../db/connection/open-database.ts';
import { slotFor } from '../../../domain/appointments/slot.ts';
import { shownName } from '../../../domain/patients/erased-name.ts';
import { html, type Html } from '../../../pages/html.ts';
import type { View } from '../../layout/view.ts';
import { BOOKING_WORDS } from '../booking-words.ts';
import { deskTimeValue } from './desk-time-field.ts';

/** A requested time that appointments take, over which it can be booked. */
export interface TakenTime {
  startsAt: Date;
  endsAt: Date;
  professionalId: string;
  beneath: readonly CollidingAppointment[];
}

interface Wanted {
  tenantId: string;
  offer: { durationMinutes: number; bufferMinutes: number; professionals: readonly { id: string }[] };
  ignoreAppointmentId?: string | undefined;
}

const MAX_NAMES = 3;

/** The time with one professional; null with several, or if no appointment takes it. */
export async function findTakenTime(
  em: EntityManager,
  { tenantId, offer, ignoreAppointmentId }: Wanted,
  at: Date,
): Promise<TakenTime | null> {
  const [only, ...others] = offer.professionals;
  if (!only || others.length > 0) return null;
  const { startsAt, endsAt, blockUntil: until } = slotFor(at, offer);
  const place = { tenantId, professionalId: only.id, from: startsAt, until };
  const found = await findCollidingAppointments(em, place, MAX_NAMES + 1);
  const beneath = found.filter(({ id }) => id !== ignoreAppointmentId).slice(0, MAX_NAMES);
  return beneath.length > 0 ? { startsAt, endsAt, professionalId: only.id, beneath } : null;
}

/** Books or moves at once: the person has typed the time, so the hours are not checked. */
export function overButton(
  { language, format }: View,
  { beneath, ...time }: TakenTime,
  isMove: boolean,
): Html {
  const names = beneath.map(
    ({ patientName, startsAt }) => `${shownName(patientName)} ${format.time(startsAt)}`,
  );
  const words = BOOKING_WORDS[language];
  const value = deskTimeValue({ ...time, isShort: false, isOutside: true });
  return html`<p class="more">
    <button name="over" value="${value}">
      ${(isMove ? words.moveAnyway : words.bookAnyway)(names.join(', '))}
    </button>
  </p>`;
}

/** The form, with the time of the button that books over others if that was pressed. */
export function readOver(form: URLSearchParams): { given: URLSearchParams; overlap: boolean } {
  const over = form.get('over');
  if (over === null) return { given: form, overlap: false };
  const given = new URLSearchParams(form);
  given.set('time', over);
  return { given, overlap: true };
}
