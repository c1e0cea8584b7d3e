import { shownName } from '../../domain/patients/erased-name.ts';
import type { CollidingAppointment } from '../../db/clinic/busy-blocks.ts';
import type { AskedPatient } from '../../db/self-service/affected-patients.ts';
import { html, type Html } from '../../pages/html.ts';
import { outdatedNotice } from '../edits/edit-parts.ts';
import { versionInput } from '../edits/version.ts';
import { facts, instant, notice, table } from '../layout/components.ts';
import { form } from '../layout/form.ts';
import type { View } from '../layout/view.ts';
import type { Page } from '../serving/page-request.ts';
import { BLOCKS } from './block-form.ts';
import type { ShownBlock } from './shown-block.ts';
import { BLOCK_WORDS } from './words.ts';

/** The most appointments that the page lists. */
export const MAX_COLLISIONS = 100;

export interface WholeBlock {
  block: ShownBlock;
  /** Appointments in the block; if there are more than the page shows, one more. */
  collisions: readonly CollidingAppointment[];
  /** The affected patients who left an email address. */
  asked: readonly AskedPatient[];
  /** How many of all affected patients can still be asked for another time. */
  toAsk: number;
}

export interface BlockPageExtras {
  isNew: boolean;
  /** Whether patients have just been asked for another time. */
  isAsked?: boolean;
  /** Whether someone has changed the block since it was shown. */
  isOutdated: boolean;
}

export function blockPage(
  view: View,
  { block, collisions, asked, toAsk }: WholeBlock,
  { isNew, isAsked = false, isOutdated }: BlockPageExtras,
): Page {
  const { language, format } = view;
  const words = BLOCK_WORDS[language];
  const { heads } = words.list;
  const fields = html`${versionInput(versionOf(block))} <button class="second">${words.remove}</button>`;
  return {
    title: block.title ?? words.untitled,
    body: html`${isOutdated && outdatedNotice(view)} ${isNew && notice('good', words.blocked)}
      ${isAsked && notice('good', words.ask.done)}
      ${facts([
        [heads.whose, block.professionalName ?? words.clinic],
        [heads.from, instant(block.startsAt, format.dateTime(block.startsAt))],
        [heads.to, instant(block.endsAt, format.dateTime(block.endsAt))],
        [heads.title, block.title ?? '–'],
      ])}
      <div class="actions">
        ${form(view, { action: `${BLOCKS}/${block.id}/remove`, confirm: words.confirmRemove }, fields)}
        <a href="${BLOCKS}">${words.all}</a>
      </div>
      <h2>${words.collides.title}</h2>
      ${toAsk > 0 && askForm(view, block, toAsk)} ${collisionTable(view, collisions, asked)}`,
    status: isOutdated ? 409 : 200,
  };
}

/** A version that differs after every change of the block. */
export function versionOf({ updatedAt }: Pick<ShownBlock, 'updatedAt'>): string {
  return updatedAt.toISOString();
}

/** The button that tells patients by email. */
function askForm(view: View, block: ShownBlock, toAsk: number): Html {
  const { ask } = BLOCK_WORDS[view.language];
  const button = ask.button(view.format.number(toAsk), toAsk === 1);
  const fields = html`${versionInput(versionOf(block))}
    <p class="actions"><button>${button}</button></p>
    <p class="soft">${ask.hint}</p>`;
  return form(view, { action: `${BLOCKS}/${block.id}/ask`, confirm: ask.confirm }, fields);
}

function collisionTable(
  view: View,
  collisions: readonly CollidingAppointment[],
  asked: readonly AskedPatient[],
): Html {
  const { collides, ask, heads } = BLOCK_WORDS[view.language];
  const shown = collisions.slice(0, MAX_COLLISIONS);
  const byAppointment = new Map(asked.map((patient) => [patient.appointmentId, patient]));
  const toCall = shown.filter(({ id }) => byAppointment.get(id)?.isRefused ?? true);
  const cellsOf = (appointment: CollidingAppointment) => [
    ...whoAndWhen(view, appointment),
    howTold(view, byAppointment.get(appointment.id)),
  ];
  return html`${shown.length > 0 && html`<p>${collides.text}</p>`}
  ${table({
    caption: collides.title,
    heads: [heads.time, heads.patient, heads.told],
    rows: shown.map((appointment) => ({ cells: cellsOf(appointment) })),
    empty: collides.none,
  })}
  ${collisions.length > MAX_COLLISIONS && html`<p class="more">${collides.most}</p>`}
  ${
    toCall.length > 0 &&
    html`<h2>${ask.toCall}</h2>
      <p>${ask.toCallText}</p>
      ${table({
        caption: ask.toCall,
        heads: [heads.time, heads.patient],
        rows: toCall.map((appointment) => ({ cells: whoAndWhen(view, appointment) })),
        empty: '',
      })}`
  }`;
}

function whoAndWhen({ format }: View, { id, startsAt, patientName }: CollidingAppointment): Html[] {
  return [
    instant(startsAt, format.dateTime(startsAt)),
    html`<a href="/appointments/${id}">${shownName(patientName)}</a>`,
  ];
}

/** @param patient undefined without an address */
function howTold({ language, format, now }: View, patient: AskedPatient | undefined): string {
  const { ask } = BLOCK_WORDS[language];
  if (patient === undefined) return ask.none;
  if (patient.isRefused) return ask.refused;
  if (patient.askedAt) return ask.told(format.moment(patient.askedAt, now));
  return patient.isAsked ? ask.underWay : ask.canBeTold;
}
