import { changeAppointment } from '../../commands/appointments/change-appointment.ts';
import { ServiceError } from '../../domain/service-error.ts';
import type { Timings } from '../../domain/timings.ts';
import { html, type Html } from '../../pages/html.ts';
import { findTimesToMove } from '../appointments/free-times.ts';
import { requireOffered, timeField } from '../appointments/time-choice.ts';
import { facts, notice } from '../layout/components.ts';
import type { Page, Reply } from '../page-request.ts';
import { addressOf } from './calendar-file.ts';
import { bookableNow, type Guest } from './guest.ts';
import { offeredOn, type FindTimes } from './offered-times.ts';
import { dayForm, timesPart } from './times-part.ts';
import type { Visit } from './visit.ts';
import { SELF_SERVICE_WORDS } from './words.ts';

/** The page of one appointment. @param address its own */
export function visitPage(guest: Guest, visit: Visit, address: string, problem?: string): Page {
  const words = SELF_SERVICE_WORDS[guest.language];
  const said = { open: words.booked, cancelled: words.isCancelled, over: words.isOver }[visit.state];
  return {
    title: guest.clinic.name,
    status: problem === undefined ? 200 : 409,
    body: html`${problem !== undefined && notice('bad', problem)}
    ${notice(visit.state === 'open' ? 'good' : 'idle', said)} ${visitFacts(guest, visit)}
    ${visit.state === 'open' && openVisit(guest, address)}
    ${guest.clinic.publicBookingEnabled && html`<p><a href="${guest.home}">${words.bookAnother}</a></p>`}`,
  };
}

function visitFacts(
  { clinic, format, language }: Guest,
  { appointment, professional, service }: Visit,
): Html {
  const words = SELF_SERVICE_WORDS[language];
  const { startsAt } = appointment;
  return facts([
    [
      words.when,
      html`<time datetime="${startsAt.toISOString()}"
        >${format.day(startsAt)}, ${format.time(startsAt)}</time
      >`,
    ],
    [words.withWhom, professional],
    ...(service === null ? [] : [[words.what, service] as const]),
    [words.where, addressOf(clinic)],
    ...(clinic.phone === null ? [] : [[words.callUs, clinic.phone] as const]),
  ]);
}

function openVisit({ language }: Guest, address: string): Html {
  const words = SELF_SERVICE_WORDS[language];
  return html`<p class="soft">${words.keepLink}</p>
    <p class="actions">
      <a class="button" href="${address}/visit.ics">${words.calendar}</a>
      <a class="button" href="${address}/move">${words.move}</a>
      <a class="button" href="${address}/cancel">${words.cancel}</a>
    </p>`;
}

/** Asks before it is done, without scripts too. */
export function cancelPage(guest: Guest, visit: Visit, address: string): Page {
  const words = SELF_SERVICE_WORDS[guest.language];
  return {
    title: words.cancelQuestion,
    body: html`${visitFacts(guest, visit)}
      <form method="post" action="${address}/cancel">
        <p class="actions">
          <button>${words.confirmCancel}</button> <a class="button" href="${address}">${words.keep}</a>
        </p>
      </form>`,
  };
}

export async function movePage(guest: Guest, visit: Visit, address: string, problem?: string): Promise<Page> {
  const words = SELF_SERVICE_WORDS[guest.language];
  const offered = await offeredOn(guest, guest.query.get('day'), timesToMove(guest, visit));
  const link = (date: string) => `${address}/move?day=${date}`;
  return {
    title: words.moveTitle,
    status: problem === undefined ? 200 : 409,
    body: html`${problem !== undefined && notice('bad', problem)} ${visitFacts(guest, visit)}
      ${dayForm(guest, `${address}/move`, offered, html``)}
      <form method="post" action="${address}/move">${timesPart(guest, offered, link)}</form>
      <p><a href="${address}">${words.keep}</a></p>`,
  };
}

function timesToMove({ context }: Guest, { appointment }: Visit): FindTimes {
  const { professionalId } = appointment;
  return (em, range) => findTimesToMove(em, appointment, { professionalId, range }, context.now);
}

export async function cancelVisit(guest: Guest, visit: Visit, timings: Timings): Promise<void> {
  await change(guest, visit, { status: 'cancelled', reason: 'patient_requested', timings });
}

/** The id of the appointment that took its place, or the page with what is wrong. */
export async function moveVisit(
  guest: Guest,
  visit: Visit,
  address: string,
  timings: Timings,
): Promise<{ movedTo: string } | Reply> {
  const chosen = timeField.safeParse(guest.form.get('time') ?? '');
  if (!chosen.success) return { to: `${address}/move` };
  try {
    const { startsAt } = chosen.data;
    const { from, until } = bookableNow(guest);
    if (startsAt < from || startsAt >= until)
      throw new ServiceError('slot_conflict', 'This time is not offered.');
    const range = { from: startsAt, until: new Date(startsAt.getTime() + 1) };
    requireOffered(await guest.read((em) => timesToMove(guest, visit)(em, range)), chosen.data);
    const { replacement } = await change(guest, visit, { startsAt, timings });
    return { movedTo: replacement?.id ?? visit.appointment.id };
  } catch (error) {
    const isTaken = error instanceof ServiceError && ['slot_conflict', 'already_booked'].includes(error.code);
    if (!isTaken) throw error;
    return movePage(guest, visit, address, SELF_SERVICE_WORDS[guest.language].taken);
  }
}

type Change = Pick<Parameters<typeof changeAppointment>[1], 'status' | 'reason' | 'startsAt' | 'timings'>;

function change({ clinic, context, write }: Guest, { appointment }: Visit, wanted: Change) {
  const { id, version } = appointment;
  const input = {
    tenantId: clinic.id,
    appointmentId: id,
    expectedVersion: version,
    mayBackdate: false,
    ...wanted,
  };
  return write((em) => changeAppointment(em, input, { ...context, actor: 'patient' }));
}
