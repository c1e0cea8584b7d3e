import { uuidv7 } from 'uuidv7';
import { html, type Html, type Part } from '../../pages/html.ts';
import type { View } from './view.ts';

/** The field of every form that proves that it is one of ours. */
export const FORM_TOKEN = 'form_token';

/** The field of every form by which one that is sent twice is known: `dashboard/serving/answer-once.ts` */
export const FORM_ID = 'id';

/** @param id of a form that was sent before, and is sent again */
export function formIdInput(id: string = uuidv7()): Html {
  return html`<input type="hidden" name="${FORM_ID}" value="${id}" />`;
}

export interface FormOptions {
  /** A path of ours. */
  action: string;
  /** Of a form that is sent again as it was; a new one is made for each page that is shown. */
  id?: string;
  /** Asked before it is sent, by those browsers that run scripts. */
  confirm?: string;
  className?: string;
  /** Whether it needs no press of its button where scripts run. */
  isSentAtOnce?: boolean;
  /** Whether the browser fills in again what was typed, for those who go back to it. */
  isFilledInAgain?: boolean;
}

/**
 * A form that changes something. Browsers fill fields in again for those who go back, but for the hidden ones, which are of
 * the page as it is now: the form would then say of an old value that it has just been chosen. So it is shown as it is.
 */
export function form(
  { session }: Pick<View, 'session'>,
  { action, id, confirm, className, isSentAtOnce = false, isFilledInAgain = false }: FormOptions,
  fields: Part,
): Html {
  return html`<form
    method="post"
    action="${action}"
    ${!isFilledInAgain && html`autocomplete="off"`}
    ${confirm !== undefined && html`data-confirm="${confirm}"`}
    ${className !== undefined && html`class="${className}"`}
    ${isSentAtOnce && html`data-send-at-once`}
  >
    <input type="hidden" name="${FORM_TOKEN}" value="${session.formToken}" /> ${formIdInput(id)} ${fields}
  </form>`;
}

export interface FieldOptions {
  name: string;
  label: string;
  value?: string | undefined;
  type?: 'text' | 'url' | 'email' | 'tel' | 'number' | 'date' | 'time' | 'datetime-local';
  hint?: Part;
  /** What is wrong with what was sent. */
  error?: string | undefined;
  isRequired?: boolean;
  maxLength?: number;
  /** What the browser may fill in by itself. */
  autocomplete?: 'name' | 'tel';
  /** Where someone begins. */
  autofocus?: '';
  /** Of a date. */
  min?: string;
  max?: string;
  /** Where scripts run, the form is sent there once the field is filled in; the same field of that page says how it is. */
  checkedBy?: string;
}

/** A field with its label, a hint and, after a mistake, what was wrong. */
export function field({ name, label, value = '', type = 'text', ...more }: FieldOptions): Html {
  const { hint, error, isRequired = false, maxLength, checkedBy, ...attributes } = more;
  return html`<div class="field">
    <label for="${name}">${label}</label>
    <input
      id="${name}"
      name="${name}"
      type="${type}"
      value="${value}"
      ${isRequired && html`required`}
      ${maxLength !== undefined && html`maxlength="${maxLength}"`}
      ${Object.entries(attributes).map(([attribute, given]) => html`${attribute}="${given}" `)}
      ${error !== undefined && html`aria-invalid="true"`}
      ${(hint || error) && html`aria-describedby="${name}-more"`}
      ${checkedBy !== undefined && checkedAt(checkedBy, name)}
    />
    ${explanation(name, hint, error)}
  </div>`;
}

function checkedAt(address: string, name: string): Html {
  return html`hx-post="${address}" hx-trigger="change" hx-target="#${name}-more" hx-select="#${name}-more > *"`;
}

/** A field for several lines. */
export function longField({ name, label, value = '', hint, error, maxLength }: FieldOptions): Html {
  return html`<div class="field">
    <label for="${name}">${label}</label>
    <textarea
      id="${name}"
      name="${name}"
      rows="3"
      ${maxLength !== undefined && html`maxlength="${maxLength}"`}
      ${error !== undefined && html`aria-invalid="true"`}
      ${(hint || error) && html`aria-describedby="${name}-more"`}
    >
${value}</textarea>
    ${explanation(name, hint, error)}
  </div>`;
}

/** A box to tick: it sends `yes`, and that it was there in any case. */
export function tickBox({ name, label, value, hint, error }: FieldOptions): Html {
  return html`<div class="field">
    <input type="hidden" name="${name}" value="" />
    <label class="choice">
      <input
        type="checkbox"
        name="${name}"
        value="yes"
        ${value === 'yes' && html`checked`}
        ${(hint || error) && html`aria-describedby="${name}-more"`}
      />
      ${label}
    </label>
    ${explanation(name, hint, error)}
  </div>`;
}

export interface ChoiceOptions {
  name: string;
  label: string;
  value?: string | undefined;
  options: readonly { value: string; label: string }[];
  hint?: Part;
  error?: string | undefined;
}

/** As many as one likes; the value has a line each. They send that they were there in any case. */
export function tickBoxes({ name, label, value = '', options, hint, error }: ChoiceOptions): Html {
  const ticked = new Set(value.split('\n'));
  return html`<fieldset ${(hint || error) && html`aria-describedby="${name}-more"`}>
    <legend>${label}</legend>
    <input type="hidden" name="${name}" value="" />
    ${explanation(name, hint, error)}
    ${options.map(
      (option) =>
        html`<label class="choice"
          ><input
            type="checkbox"
            name="${name}"
            value="${option.value}"
            ${ticked.has(option.value) && html`checked`}
          />
          ${option.label}</label
        >`,
    )}
  </fieldset>`;
}

/** One of several, from a list that folds out. */
export function choice({ name, label, value, options, hint, error }: ChoiceOptions): Html {
  return html`<div class="field">
    <label for="${name}">${label}</label>
    <select id="${name}" name="${name}" ${(hint || error) && html`aria-describedby="${name}-more"`}>
      ${options.map(
        (option) =>
          html`<option value="${option.value}" ${option.value === value && html`selected`}>
            ${option.label}
          </option>`,
      )}
    </select>
    ${explanation(name, hint, error)}
  </div>`;
}

function explanation(name: string, hint: Part, error: string | undefined): Html | null {
  if (!hint && error === undefined) return null;
  return html`<p class="more" id="${name}-more" aria-live="polite">
    ${error !== undefined && html`<strong class="error">${error}</strong>`}
    ${Boolean(hint) && html`<span>${hint}</span>`}
  </p>`;
}
