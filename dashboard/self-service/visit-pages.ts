import { html, type Html } from '../../pages/html.ts';
import { timeField, timeValue, type ChosenTime } from '../appointments/time-choice.ts';
import { versionInput } from '../edits/version.ts';
import { facts, notice } from '../layout/components.ts';
import type { Page, Reply } from '../serving/page-request.ts';
import { streetOf } from '../../commands/self-service/visit-details.ts';
import { hasPublicPages, type Guest } from './guest.ts';
import { offeredOn, timesToMove } from './offered-times.ts';
import { dayForm, timesPart } from './times-part.ts';
import type { Visit } from './visit.ts';
import { SELF_SERVICE_WORDS } from './words.ts';

/**
 * The page of one appointment; it shows no details after the appointment has passed. @param address the address of the
 * page
 */
export function visitPage(guest: Guest, visit: Visit, address: string): Page {
  const { isConfirmed, booked, isCancelled: cancelled, isOver: over } = SELF_SERVICE_WORDS[guest.language];
  const open = visit.appointment.patientConfirmedAt ? isConfirmed : booked;
  const said = { open, cancelled, over, ended: over }[visit.state];
  const status = visit.state === 'ended' ? 410 : 200;
  return pageOf(guest, visit, address, {
    status,
    said: notice(visit.state === 'open' ? 'good' : 'idle', said),
  });
}

/**
 * The page of an appointment after a limit refused a move or cancellation. @param headers contain the time after which
 * to try again
 */
export function limitedPage(
  guest: Guest,
  visit: Visit,
  address: string,
  headers: Record<string, string> = {},
): Reply {
  const said = notice('bad', SELF_SERVICE_WORDS[guest.language].tooManyChanges);
  return { ...pageOf(guest, visit, address, { status: 429, said }), headers };
}

function pageOf(
  guest: Guest,
  visit: Visit,
  address: string,
  { status, said }: { status: number; said: Html },
): Page {
  const words = SELF_SERVICE_WORDS[guest.language];
  return {
    title: words.visit,
    status,
    body: html`${said} ${visit.state !== 'ended' && visitFacts(guest, visit)}
    ${visit.state === 'open' && openVisit(guest, visit, address)}
    ${visit.state === 'cancelled' && html`<p><a class="button second" href="${address}/visit.ics">${words.fromCalendar}</a></p>`}
    ${hasPublicPages(guest.clinic) && html`<p><a href="${guest.home}">${words.bookAnother}</a></p>`}`,
  };
}

function visitFacts(guest: Guest, { appointment, professional, service }: Visit): Html {
  const words = SELF_SERVICE_WORDS[guest.language];
  return html`<div class="card">
    ${facts([
      [words.when, html`<strong>${timeOf(guest, appointment.startsAt)}</strong>`],
      ...(service === null ? [] : [[words.what, service] as const]),
      [words.withWhom, professional],
      [words.where, streetOf(guest.clinic) || guest.clinic.name],
    ])}
  </div>`;
}

function timeOf({ format }: Guest, at: Date): Html {
  return html`<time datetime="${at.toISOString()}">${format.dayTitle(at)}, ${format.time(at)}</time>`;
}

/** Without online booking, the patient can only confirm. */
function openVisit({ language, clinic }: Guest, { appointment, reach }: Visit, address: string): Html {
  const words = SELF_SERVICE_WORDS[language];
  const isChangeable = clinic.publicBookingEnabled;
  // How the clinic reaches a patient for whom it booked itself is not known here.
  const isReachKnown = reach !== 'none' || appointment.source === 'self_service';
  return html`${appointment.patientConfirmedAt === null && confirmation(words.confirm, appointment.id, address)}
    <p class="actions">
      <a class="button second" href="${address}/visit.ics">${words.calendar}</a>
      ${
        isChangeable &&
        html`<a class="button second" href="${address}/move">${words.move}</a>
          <a class="button second" href="${address}/cancel">${words.cancel}</a>`
      }
    </p>
    ${isReachKnown && html`<p>${words.told[reach]}</p>`}
    <p class="soft">${isChangeable ? words.keepLink : words.callToChange}</p>`;
}

function confirmation(label: string, id: string, address: string): Html {
  return html`<form method="post" action="${address}/confirm">
    ${versionInput(id)}
    <p class="actions"><button>${label}</button></p>
  </form>`;
}

/** Asks for confirmation, also without scripts. */
export function cancelPage(guest: Guest, visit: Visit, address: string): Page {
  const words = SELF_SERVICE_WORDS[guest.language];
  return {
    title: words.cancelQuestion,
    body: html`${visitFacts(guest, visit)}
      <form method="post" action="${address}/cancel">
        ${versionInput(visit.appointment.id)}
        <p class="actions">
          <button class="danger">${words.confirmCancel}</button>
          <a class="button second" href="${address}">${words.keep}</a>
        </p>
      </form>`,
  };
}

/** The page with times to choose from and, after a choice, its confirmation. */
export async function movePage(guest: Guest, visit: Visit, address: string): Promise<Reply> {
  const chosen = timeField.safeParse(guest.query.get('time') ?? '');
  return chosen.success
    ? moveQuestion(guest, visit, address, chosen.data)
    : timesPage(guest, visit, address, null);
}

/** @param problem why the chosen time was refused */
export async function timesPage(
  guest: Guest,
  visit: Visit,
  address: string,
  problem: string | null,
): Promise<Page> {
  const words = SELF_SERVICE_WORDS[guest.language];
  const offered = await offeredOn(guest, guest.query.get('day'), timesToMove(guest, visit));
  return {
    title: words.moveTitle,
    status: problem === null ? 200 : 409,
    body: html`${problem !== null && notice('bad', problem)} ${visitFacts(guest, visit)}
      <p><a href="${address}">← ${words.keep}</a></p>
      ${dayForm(guest, `${address}/move`, offered, html``)}
      ${timesPart(guest, offered, {
        method: 'get',
        action: `${address}/move`,
        fields: html``,
        dayLink: (date) => `${address}/move?day=${date}`,
      })}`,
  };
}

function moveQuestion(guest: Guest, { appointment }: Visit, address: string, chosen: ChosenTime): Page {
  const words = SELF_SERVICE_WORDS[guest.language];
  return {
    title: words.moveQuestion,
    body: html`<div class="card">
        ${facts([
          [words.before, timeOf(guest, appointment.startsAt)],
          [words.after, html`<strong>${timeOf(guest, chosen.startsAt)}</strong>`],
        ])}
      </div>
      <form method="post" action="${address}/move">
        ${versionInput(appointment.id)} <input type="hidden" name="time" value="${timeValue(chosen)}" />
        <p class="actions">
          <button>${words.confirmMove}</button>
          <a class="button second" href="${address}/move">${words.back}</a>
        </p>
      </form>`,
  };
}
