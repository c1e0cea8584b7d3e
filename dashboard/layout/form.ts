import { uuidv7 } from 'uuidv7';
import { html, type Html, type Part } from '../../pages/html.ts';
import type { View } from './view.ts';

/** The hidden field with the token against cross-site request forgery. */
export const FORM_TOKEN = 'form_token';

/** The hidden field that identifies a form sent twice: `dashboard/serving/answer-once.ts` */
export const FORM_ID = 'id';

/** @param id the id of an earlier form that is shown again */
export function formIdInput(id: string = uuidv7()): Html {
  return html`<input type="hidden" name="${FORM_ID}" value="${id}" />`;
}

/** A dialog with two buttons: that of the form, and one that changes nothing. */
export interface Confirmation {
  question: string;
  /** The button that changes nothing. */
  keep: string;
}

export interface FormOptions {
  /** A local path. */
  action: string;
  /** The id of an earlier form that is shown again; by default a new id. */
  id?: string;
  /** The dialog that asks before submitting, if scripts run. */
  confirm?: Confirmation;
  className?: string;
  /** Whether the form is submitted without a click, if scripts run. */
  isSentAtOnce?: boolean;
  /** Whether browsers may restore the input when someone goes back. */
  isFilledInAgain?: boolean;
}

/**
 * A form that changes something. When someone goes back, browsers restore visible fields but not hidden ones, so an old
 * value would look like a new choice. So restoring is off by default.
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
    ${confirm !== undefined && html`data-confirm="${confirm.question}" data-keep="${confirm.keep}"`}
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
  /** The error message for the submitted value. */
  error?: string | undefined;
  isRequired?: boolean;
  maxLength?: number;
  /** What the browser may fill in. */
  autocomplete?: 'name' | 'tel' | 'email';
  /** Whether the field gets the focus. */
  autofocus?: '';
  /** The earliest date. */
  min?: string;
  max?: string;
  /** The address that validates the value if scripts run; its response replaces the field. */
  checkedBy?: string;
}

/** A field with label, hint and, if invalid, its error. */
export function field({ name, label, value = '', type = 'text', ...more }: FieldOptions): Html {
  const { hint, error, isRequired = false, maxLength, checkedBy, ...attributes } = more;
  return html`<div class="field">
    <label for="${name}">${label}</label>
    <input
      id="${name}"
      name="${name}"
      type="${type}"
      value="${value}"
      ${type === 'text' && html`dir="auto"`}
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
      dir="auto"
      ${maxLength !== undefined && html`maxlength="${maxLength}"`}
      ${error !== undefined && html`aria-invalid="true"`}
      ${(hint || error) && html`aria-describedby="${name}-more"`}
    >
${value}</textarea>
    ${explanation(name, hint, error)}
  </div>`;
}

/** A checkbox that sends `yes`; a hidden field shows that the form has it. */
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

/** Several checkboxes; the value has one line each. A hidden field shows that the form has them. */
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

/** A drop-down list. */
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
