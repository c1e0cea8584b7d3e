import { renderInline } from '../guides/markdown.ts';
import { html, type Html } from '../../pages/html.ts';
import type { Field } from './fields.ts';

interface FieldListOptions {
  /** The prefix of `errors[].path` for these fields, used as anchors. Response fields have none. */
  place?: string;
  /** Whether to mark required fields: a response has them all. */
  isRequest?: boolean;
}

/** Fields with their descriptions; nested ones are collapsed. */
export function fieldList(fields: readonly Field[], options: FieldListOptions = {}): Html {
  return html`<ul class="fields">
    ${fields.map((field) => fieldItem(field, options))}
  </ul>`;
}

function fieldItem(field: Field, { place, isRequest = false }: FieldListOptions): Html {
  const { name, type, isRequired, description, constraints, fields } = field;
  const path = place === undefined ? undefined : `${place}.${name}`;
  const more = constraints.map((phrase) => `${phrase}.`).join(' ');
  return html`<li ${path !== undefined && html`id="${path}"`}>
    <p class="field">
      <code class="name">${name}</code> <span class="type">${type}</span>
      ${isRequest && isRequired && html`<span class="required">required</span>`}
    </p>
    ${description !== '' && html`<p>${renderInline(description)}</p>`}
    ${more !== '' && html`<p class="constraint">${renderInline(capitalised(more))}</p>`}
    ${fields.length > 0 && within(field, { isRequest, ...(path !== undefined && { place: path }) })}
  </li>`;
}

/** Fields that only wrap others, which are shown open. */
const WRAPPERS: ReadonlySet<string> = new Set(['data', 'items']);

function within({ name, fields }: Field, options: FieldListOptions): Html {
  const count = fields.length === 1 ? '1 field' : `${fields.length} fields`;
  return html`<details ${WRAPPERS.has(name) && 'open'}>
    <summary>${count} <span class="unseen">of ${name}</span></summary>
    ${fieldList(fields, options)}
  </details>`;
}

function capitalised(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
