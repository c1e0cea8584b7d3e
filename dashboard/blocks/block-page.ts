import { shownName } from '../../domain/patients/erased-name.ts';
import type { CollidingAppointment } from '../../db/clinic/busy-blocks.ts';
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
}

export interface BlockPageExtras {
  isNew: boolean;
  /** Whether someone has changed the block since it was shown. */
  isOutdated: boolean;
}

export function blockPage(
  view: View,
  { block, collisions }: WholeBlock,
  { isNew, isOutdated }: BlockPageExtras,
): Page {
  const { language, format } = view;
  const words = BLOCK_WORDS[language];
  const { heads } = words.list;
  const fields = html`${versionInput(versionOf(block))} <button class="second">${words.remove}</button>`;
  return {
    title: block.title ?? words.untitled,
    body: html`${isOutdated && outdatedNotice(view)} ${isNew && notice('good', words.blocked)}
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
      ${collisionTable(view, collisions)}`,
    status: isOutdated ? 409 : 200,
  };
}

/** A version that differs after every change of the block. */
export function versionOf({ updatedAt }: Pick<ShownBlock, 'updatedAt'>): string {
  return updatedAt.toISOString();
}

function collisionTable({ language, format }: View, collisions: readonly CollidingAppointment[]): Html {
  const { collides, heads } = BLOCK_WORDS[language];
  return html`${collisions.length > 0 && html`<p>${collides.text}</p>`}
  ${table({
    caption: collides.title,
    heads: [heads.time, heads.patient],
    rows: collisions.slice(0, MAX_COLLISIONS).map(({ id, startsAt, patientName }) => ({
      cells: [
        instant(startsAt, format.dateTime(startsAt)),
        html`<a href="/appointments/${id}">${shownName(patientName)}</a>`,
      ],
    })),
    empty: collides.none,
  })}
  ${collisions.length > MAX_COLLISIONS && html`<p class="more">${collides.most}</p>`}`;
}
