import type { PatientSize } from '../../commands/patients/size-up-patient.ts';
import { html, type Html } from '../../pages/html.ts';
import { outdatedNotice } from '../edits/edit-parts.ts';
import { versionInput } from '../edits/version.ts';
import { facts } from '../layout/components.ts';
import { field, form } from '../layout/form.ts';
import type { View } from '../layout/view.ts';
import { ASKED } from '../search/question.ts';
import { PATIENTS } from '../search/search-box.ts';
import type { Page } from '../serving/page-request.ts';
import { DATA_WORDS } from './data-words.ts';

/** The field in which the name or the phone number is repeated. */
export const CONFIRMATION = 'confirmation';
const MAX_CONFIRMATION = 200;
/** The hidden field with the phone number. */
export const PHONE = 'phone';

export interface ShownData extends PatientSize {
  /** The address of the page. */
  address: string;
  /** The phone number, also encrypted for addresses; null for the patient of an appointment. */
  phone: { number: string; sealed: string } | null;
  /** What was typed to confirm the erasure. */
  typed?: string;
  isConfirmed?: boolean;
  isOutdated?: boolean;
}

/** The state that the page shows; it changes when more, or less, would be erased. */
export function versionOf({ appointments, calls, callsKept }: PatientSize): string {
  return [appointments, calls, callsKept].join('-');
}

export function dataPage(view: View, data: ShownData): Page {
  const words = DATA_WORDS[view.language];
  const { names, phone, appointments, calls, callsKept, address } = data;
  const { isOutdated = false, isConfirmed = true } = data;
  const query = phone === null ? '' : `?${ASKED}=${phone.sealed}`;
  return {
    title: words.title,
    body: html`${isOutdated && outdatedNotice(view)}
      ${facts([
        ...(phone === null ? [] : ([[words.phone, phone.number]] as const)),
        [words.names, names.length === 0 ? words.noName : names.map((name) => html`${name}<br />`)],
        [words.appointments, view.format.number(appointments)],
        [words.calls, view.format.number(calls)],
        ...(callsKept === 0 ? [] : ([[words.callsKept, view.format.number(callsKept)]] as const)),
      ])}
      <h2>${words.export.title}</h2>
      <p>${words.export.text}</p>
      <p class="actions">
        <a class="button second" href="${address}/export${query}" download>${words.export.button}</a>
      </p>
      ${erasing(view, data)}`,
    status: isOutdated ? 409 : isConfirmed ? 200 : 422,
  };
}

function erasing(view: View, data: ShownData): Html {
  const words = DATA_WORDS[view.language].erase;
  const { address, phone, typed, isConfirmed = true } = data;
  const { label, wrong } = phone === null ? words.byName : words.byPhone;
  return html`<h2>${words.title}</h2>
    <p>${words.text}</p>
    <p>${words.kept}</p>
    ${form(
      view,
      { action: `${address}/erase` },
      html`${versionInput(versionOf(data))}
        ${phone !== null && html`<input type="hidden" name="${PHONE}" value="${phone.number}" />`}
        ${field({
          name: CONFIRMATION,
          label,
          value: typed,
          isRequired: true,
          maxLength: MAX_CONFIRMATION,
          error: isConfirmed ? undefined : wrong,
        })}
        <p class="actions"><button class="danger">${words.button}</button></p>`,
    )}`;
}

/** Nothing is stored. */
export function noDataPage(view: View): Page {
  const words = DATA_WORDS[view.language];
  return {
    title: words.title,
    body: html`<div class="empty"><p>${words.nothing}</p></div>
      <p><a href="${PATIENTS}">${words.search}</a></p>`,
    status: 404,
  };
}
