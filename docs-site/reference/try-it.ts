import { html, type Html } from '../../pages/html.ts';
import type { Field } from './fields.ts';
import type { Operation, RequestExample } from './operation.ts';

/** Sends the request from the page. A script sends it, so the form is shown only where there is one. */
export function tryIt(operation: Operation, example: RequestExample): Html {
  const { method, path, parameters, body, id } = operation;
  if (body && body.fields.length === 0) return html``;
  return html`<form class="try scripted" data-method="${method}" data-path="${path}" aria-labelledby="try-it">
    <h2 id="try-it">Try it</h2>
    ${example.isKeyed && keyInput()}
    ${parameters.flatMap(({ place, fields }) => fields.map((field) => parameterInput(place, field, example)))}
    ${body && bodyInput(example.body)}
    <button type="submit">Send the request</button>
    <output aria-live="polite" id="answer-of-${id}"></output>
  </form>`;
}

function keyInput(): Html {
  return html`<label for="try-key">API key</label>
    <input
      id="try-key"
      name="key"
      type="password"
      autocomplete="off"
      spellcheck="false"
      placeholder="svc_test_…"
    />
    <p class="hint">Kept in this tab only, and sent to this API only.</p>`;
}

function parameterInput(place: string, { name, isRequired }: Field, { target }: RequestExample): Html {
  const { pathname, searchParams } = new URL(target, 'http://localhost');
  const fromPath = place === 'path' ? idIn(pathname) : '';
  const value = place === 'query' ? (searchParams.get(name) ?? '') : fromPath;
  const input = `try-${place}-${name}`;
  return html`<label for="${input}"><code>${name}</code></label>
    <input
      id="${input}"
      name="${name}"
      data-place="${place}"
      value="${value}"
      spellcheck="false"
      autocomplete="off"
      ${isRequired && 'required'}
    />`;
}

/** The id of the example stands behind the resource’s name. */
function idIn(pathname: string): string {
  return pathname.split('/').find((part) => /^(evt_)?[0-9a-f-]{20,}$/.test(part)) ?? '';
}

function bodyInput(body: unknown): Html {
  const text = body === undefined ? '' : JSON.stringify(body, null, 2);
  return html`<label for="try-body">Body</label>
    <textarea
      id="try-body"
      name="body"
      rows="${Math.min(14, text.split('\n').length + 1)}"
      spellcheck="false"
    >
${text}</textarea>`;
}
