import { anchorOf } from '../anchor.ts';
import { sectionHeading } from '../components.ts';
import { renderInline, renderText } from '../guides/markdown.ts';
import { jsonBlock } from '../highlight.ts';
import { html, type Html } from '../../pages/html.ts';
import type { Heading } from '../page.ts';
import { fieldList } from './field-list.ts';
import type { Field } from './fields.ts';
import type { Answer, Operation, OperationError, RequestExample } from './operation.ts';
import { sampleRequest } from './samples/sample-request.ts';
import { sampleTabs } from './samples/languages.ts';

export interface ReferenceFacts {
  /** The API's address, without a trailing slash. */
  baseUrl: string;
  /** The meaning of each error code, as one sentence of Markdown. */
  meanings: ReadonlyMap<string, string>;
  /** Errors of every operation with a key, which are explained once. */
  commonErrors: ReadonlySet<string>;
}

const SECTIONS = ['Request', 'Answers', 'Errors'] as const;

export const OPERATION_OUTLINE: readonly Heading[] = SECTIONS.map((text) => ({
  anchor: anchorOf(text),
  text,
}));

/** One operation: text next to code; on a narrow screen the sample follows the introduction. */
export function operationBody(operation: Operation, facts: ReferenceFacts): Html {
  return html`<div class="columns">
    <div class="words">
      <div class="intro">
        ${address(operation)} ${operation.description !== '' && renderText(operation.description)}
        ${scopes(operation)}
      </div>
      <div class="details">${request(operation)} ${answers(operation)} ${errors(operation, facts)}</div>
    </div>
    <div class="codes">
      <div class="first-code">${sample(operation, facts)}</div>
      <div class="more-code">${moreCode(operation)}</div>
    </div>
  </div>`;
}

function address({ method, path }: Operation): Html {
  return html`<p class="address">
    <b class="method ${method.toLowerCase()}">${method}</b> <code>${path}</code>
  </p>`;
}

function scopes({ scopes: needed }: Operation): Html {
  if (!needed) return html`<p class="scopes">Needs no key.</p>`;
  if (needed.length === 0) return html`<p class="scopes">Any <a href="keys-and-scopes">key</a>.</p>`;
  const names = needed.map((scope, index) => html`${index > 0 && ', '}<code>${scope}</code>`);
  return html`<p class="scopes"><a href="keys-and-scopes#scopes">Scope</a> ${names}</p>`;
}

function request({ parameters, body }: Operation): Html {
  const isEmpty = parameters.length === 0 && !body;
  return html`${sectionHeading('Request')} ${isEmpty && html`<p>It takes no parameters and no body.</p>`}
  ${parameters.map(({ title, place, fields }) => {
    return html`<h3>${title}</h3>
      ${fieldList(fields.map(saidOnce), { place, isRequest: true })}`;
  })}
  ${body && html`<h3>Body</h3>`}
  ${body && body.fields.length > 0 && fieldList(body.fields, { place: 'body', isRequest: true })}
  ${body && body.fields.length === 0 && html`<p>The bytes of the file, as ${body.mediaTypes.join(' or ')}.</p>`}`;
}

/** Short descriptions of common parameters, which a guide explains. */
const IN_SHORT: Readonly<Record<string, string>> = {
  'Idempotency-Key': 'Makes the request [safe to repeat](idempotency.md).',
  'If-Match': 'Makes the change only if [your version is current](concurrency.md#if-match).',
};

function saidOnce(field: Field): Field {
  const description = IN_SHORT[field.name];
  return description === undefined ? field : { ...field, description, constraints: [] };
}

function answers({ answers: all }: Operation): Html {
  return html`${sectionHeading('Answers')}
    ${all.map((answer, index) => oneAnswer(answer, index > 0 && sameFields(answer, all[0])))}
    <p class="aside">Each has the <a href="headers">headers of every answer</a>.</p>`;
}

function oneAnswer({ status, description, fields, headers }: Answer, isToldAbove: boolean): Html {
  const own = headers.filter((name) => OWN_HEADERS.has(name));
  const ownHeaders = own.map((name) => html` <a href="headers#${anchorOf(name)}"><code>${name}</code></a>`);
  return html`<h3><span class="status">${status}</span> ${renderInline(description)}</h3>
    ${own.length > 0 && html`<p class="aside">With${ownHeaders}.</p>`}
    ${isToldAbove && html`<p>The same fields as above.</p>`}
    ${!isToldAbove && fields.length > 0 && fieldList(fields)}`;
}

/** Headers that are specific to a response. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  'ETag',
  'Location',
  'Content-Range',
  'Accept-Ranges',
  'Cache-Control',
]);

function sameFields({ fields }: Answer, other: Answer | undefined): boolean {
  return fields.length > 0 && JSON.stringify(fields) === JSON.stringify(other?.fields);
}

function errors({ errors: all }: Operation, { meanings, commonErrors }: ReferenceFacts): Html {
  const own = all.filter(({ code }) => !commonErrors.has(code));
  const common = all.filter(({ code }) => commonErrors.has(code));
  return html`${sectionHeading('Errors')}
    <ul class="errors">
      ${own.map((error) => errorLine(error, meanings))}
    </ul>
    ${
      common.length > 0 &&
      html`<details>
        <summary>${common.length} that every operation may answer</summary>
        <ul class="errors">
          ${common.map((error) => errorLine(error, meanings))}
        </ul>
      </details>`
    }`;
}

function errorLine({ code, status }: OperationError, meanings: ReadonlyMap<string, string>): Html {
  return html`<li>
    <span class="status">${status}</span> <a href="errors#${code}"><code>${code}</code></a>
    ${renderInline(meanings.get(code) ?? '')}
  </li>`;
}

function sample({ examples, path }: Operation, { baseUrl }: ReferenceFacts): Html {
  const [first, ...others] = examples;
  if (!first) return html``;
  return html`<h2 class="unseen" id="sample">Sample</h2>
    ${others.length > 0 && html`<h3>${inWords(first.name)}</h3>`} ${sampleTabs(sampleRequest(first, baseUrl))}
    ${
      path.includes('{') &&
      html`<p class="aside">The id is that of the examples: put one of yours in its place.</p>`
    }`;
}

function moreCode(operation: Operation): Html {
  const [first, ...others] = operation.examples;
  return html`${others.map(
    ({ name, body }) =>
      html`<h3>${inWords(name)}</h3>
        ${jsonBlock(body)}`,
  )}
  ${operation.answers.map(
    ({ status, example }) =>
      example !== undefined &&
      html`<h3><span class="status">${status}</span> Answer</h3>
        ${jsonBlock(example)}`,
  )}
  ${first && tryIt(operation, first)}`;
}

/** `checkIn` becomes “Check in”. */
function inWords(name: string): string {
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** A form that sends the request from the page with a script. */
function tryIt(operation: Operation, example: RequestExample): Html {
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

/** The id in an example's path: it follows the resource’s name. */
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
