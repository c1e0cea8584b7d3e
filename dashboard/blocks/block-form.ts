import type { ProfessionalRow } from '../../db/entities/professional.entity.ts';
import { longest } from '../../domain/text/bounded-text.schema.ts';
import { blockTitle } from '../../domain/clinic/busy-block.schema.ts';
import { html, type Html } from '../../pages/html.ts';
import { field, form } from '../layout/form.ts';
import { radioChoice } from '../layout/radio-choice.ts';
import type { View } from '../layout/view.ts';
import type { Page } from '../serving/page-request.ts';
import { CLINIC, PARTS } from './read-block.ts';
import { BLOCK_WORDS } from './words.ts';

export const BLOCKS = '/blocks';

export interface BlockForm {
  professionals: readonly ProfessionalRow[];
  /** The values from the address or an earlier submission. */
  given: URLSearchParams;
  /** The day, such as 2026-03-05. */
  day: string;
  /** Whether the form is for arbitrary times, not for a part of a day. */
  isOfTimes: boolean;
  wrong?: ReadonlySet<string>;
}

/** The form for blocking: first buttons for parts of a day, then another form for everything else. */
export function blockForm(view: View, block: BlockForm): Page {
  const words = BLOCK_WORDS[view.language];
  const fields = html`${whoseChoice(view, block)}
  ${block.isOfTimes ? timesOf(view, block) : partsOf(view, block)}`;
  return {
    title: words.add,
    body: html`<p>${words.stay}</p>
      ${form(view, { action: `${BLOCKS}/new` }, fields)}`,
    status: block.wrong ? 422 : 200,
  };
}

function whoseChoice({ language }: View, { professionals, given, wrong }: BlockForm): Html {
  const words = BLOCK_WORDS[language];
  const chosen = given.get('whose') ?? given.get('professional');
  const options = [...professionals, { id: CLINIC, name: words.clinic }];
  return radioChoice({
    name: 'whose',
    legend: words.whose,
    options: options.map(({ id, name }) => ({ value: id, label: name, isChosen: id === chosen })),
    error: wrong?.has('whose') === true ? words.wrong.whose : undefined,
  });
}

/** The buttons for parts of a day. The first button blocks nothing, so that pressing Enter blocks nothing. */
function partsOf({ language }: View, { day, wrong }: BlockForm): Html {
  const words = BLOCK_WORDS[language];
  return html`<div class="filters">
      ${field({
        name: 'day',
        label: words.day,
        type: 'date',
        value: day,
        error: wrong?.has('day') ? words.wrong.day : undefined,
      })}
      <button class="second" name="part" value="other">${words.otherTimes}</button>
    </div>
    <fieldset>
      <legend>${words.partsTitle}</legend>
      <p class="actions">
        ${PARTS.map((part) => {
          const isMain = part === 'day';
          return html`<button class="${!isMain && 'second'}" name="part" value="${part}">
            ${words.parts[part]}
          </button>`;
        })}
      </p>
    </fieldset>`;
}

function timesOf({ language }: View, { day, given, wrong }: BlockForm): Html {
  const words = BLOCK_WORDS[language];
  const common = (name: 'from' | 'to' | 'title') => ({
    name,
    label: words[name],
    error: wrong?.has(name) ? words.wrong[name] : undefined,
  });
  const time = (name: 'from' | 'to', usual: string) =>
    field({
      ...common(name),
      type: 'datetime-local',
      value: given.get(name) ?? `${day}T${usual}`,
      isRequired: true,
    });
  const value = given.get('title') ?? '';
  return html`${time('from', '09:00')} ${time('to', '18:00')}
    ${field({ ...common('title'), value, hint: words.titleHint, maxLength: longest(blockTitle) })}
    <p class="actions"><button name="part" value="times">${words.block}</button></p>`;
}
