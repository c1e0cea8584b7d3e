import { html, type Html, type Part } from '../../pages/html.ts';
import type { View } from './view.ts';

/** The field of every form that proves that it is one of ours. */
export const FORM_TOKEN = 'form_token';

export interface FormOptions {
  /** A path of ours. */
  action: string;
  /** Asked before it is sent, by those browsers that run scripts. */
  confirm?: string;
  className?: string;
}

/** A form that changes something. */
export function form(
  { session }: Pick<View, 'session'>,
  { action, confirm, className }: FormOptions,
  fields: Part,
): Html {
  return html`<form
    method="post"
    action="${action}"
    ${confirm !== undefined && html`data-confirm="${confirm}"`}
    ${className !== undefined && html`class="${className}"`}
  >
    <input type="hidden" name="${FORM_TOKEN}" value="${session.formToken}" />
    ${fields}
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
}

/** A field with its label, a hint and, after a mistake, what was wrong. */
export function field({ name, label, value = '', type = 'text', ...more }: FieldOptions): Html {
  const { hint, error, isRequired = false, maxLength } = more;
  return html`<div class="field">
    <label for="${name}">${label}</label>
    <input
      id="${name}"
      name="${name}"
      type="${type}"
      value="${value}"
      ${isRequired && html`required`}
      ${maxLength !== undefined && html`maxlength="${maxLength}"`}
      ${error !== undefined && html`aria-invalid="true"`}
      ${(hint || error) && html`aria-describedby="${name}-more"`}
    />
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
  return html`<p class="more" id="${name}-more">
    ${error !== undefined && html`<strong class="error">${error}</strong>`} ${hint}
  </p>`;
}
