import { html, type Html } from '../../pages/html.ts';
import { anchorOf } from '../anchor.ts';
import { dataTable, sectionHeading } from '../components.ts';
import type { ExampleDates } from '../example-dates.ts';
import type { DocsPage, PageGroup } from '../page.ts';
import { eventPages } from './event-pages.ts';
import type { OpenApiDocument } from './openapi.ts';
import { operationsOf, type Operation } from './operation.ts';
import { operationMarkdown, joined } from './operation-markdown.ts';
import { OPERATION_OUTLINE, operationBody, type ReferenceFacts } from './operation-page.ts';
import { guideText } from '../guides/guide-pages.ts';
import { renderInline } from '../guides/markdown.ts';

/** The reference, generated from the OpenAPI document and so from the contracts. */
export function referencePages(document: OpenApiDocument, baseUrl: string, dates: ExampleDates): PageGroup[] {
  const operations = operationsOf(document, dates.inValue);
  const facts = { baseUrl, meanings: errorMeanings(), commonErrors: commonErrors(operations) };
  const tags = document.tags.filter(({ name }) => operations.some(({ tag }) => tag === name));
  return [
    {
      title: 'API reference',
      pages: [
        overview(document, operations, baseUrl),
        headersPage(document.components.headers, document.components.parameters),
      ],
    },
    ...tags.map(({ name }): PageGroup => {
      const own = operations.filter(({ tag }) => tag === name);
      return { title: name, isFolded: true, pages: own.map((operation) => operationPage(operation, facts)) };
    }),
    { title: 'Webhook events', isFolded: true, pages: eventPages(document, facts) },
  ];
}

function commonErrors(operations: readonly Operation[]): ReadonlySet<string> {
  const keyed = operations.filter(({ scopes }) => scopes !== null);
  const codes = new Set(keyed.flatMap(({ errors }) => errors.map(({ code }) => code)));
  return new Set(
    [...codes].filter((code) => keyed.every(({ errors }) => errors.some((error) => error.code === code))),
  );
}

function operationPage(operation: Operation, facts: ReferenceFacts): DocsPage {
  const { id, method, path, summary, description } = operation;
  return {
    slug: slugOf(id),
    title: summary,
    label: inFewWords(id),
    summary: `${method} ${path}. ${description.split('\n')[0] || summary}`,
    method,
    isWide: true,
    body: () => operationBody(operation, facts),
    outline: OPERATION_OUTLINE,
    markdown: () => operationMarkdown(operation, facts),
    keywords: `${id} ${method} ${path}`,
  };
}

/** `bookAppointment` becomes `book-appointment`. */
function slugOf(operationId: string): string {
  return operationId.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** `bookAppointment` becomes “Book appointment”. */
function inFewWords(operationId: string): string {
  const words = slugOf(operationId)
    .replaceAll('-', ' ')
    .replace('open api', 'OpenAPI')
    .replace(' nps', ' NPS');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

const CONVENTIONS: readonly (readonly [string, string])[] = [
  ['Key', 'Authorization: Bearer svc_test_…'],
  ['Bodies', 'JSON in UTF-8; unknown fields are rejected'],
  ['Times', 'ISO 8601: with an offset in requests, in UTC with milliseconds in responses'],
  ['Ids', 'UUIDs; events have evt_ and 32 hex digits'],
];

function overview(document: OpenApiDocument, operations: readonly Operation[], baseUrl: string): DocsPage {
  const byTag = Map.groupBy(operations, ({ tag }) => tag);
  const tags = document.tags.filter(({ name }) => byTag.has(name));
  return {
    slug: 'reference',
    title: 'API reference',
    label: 'All operations',
    summary: 'Every operation of the API, generated from the contracts that the API uses.',
    body: () =>
      html`${introduction(baseUrl)}
        <p>
          More: <a href="keys-and-scopes">keys and scopes</a>, <a href="errors">errors</a>,
          <a href="headers">headers</a>, <a href="idempotency">idempotency</a>, <a href="limits">limits</a>,
          <a href="lists-and-sync#cursors">paging</a>.
        </p>
        ${tags.map(({ name, description = '' }) => operationTable(name, description, byTag.get(name) ?? []))}`,
    outline: tags.map(({ name }) => ({ anchor: anchorOf(name), text: name })),
    markdown: () => overviewMarkdown(tags, byTag, baseUrl),
    keywords:
      'endpoints operations routes list base address url openapi swagger postman bruno insomnia collection',
  };
}

function introduction(baseUrl: string): Html {
  return html`<p>
      Every operation with its fields, answers, errors and samples in five languages. It is made from the
      table that the API itself runs on. For tools there is the same as
      <a href="../openapi.json">openapi.json</a> (OpenAPI 3.1), and every example as a request to send from
      Postman, Bruno, Insomnia and others: <a href="../collection.json">collection.json</a> (Postman 2.1; give
      it a key as its variable <code>apiKey</code>).
    </p>
    <dl class="facts">
      <div>
        <dt>Base address</dt>
        <dd><code>${baseUrl}</code></dd>
      </div>
      ${CONVENTIONS.map(
        ([term, said]) =>
          html`<div>
            <dt>${term}</dt>
            <dd>${said}</dd>
          </div>`,
      )}
    </dl>`;
}

function operationTable(name: string, description: string, operations: readonly Operation[]): Html {
  const rows = operations.map(({ id, method, path, summary }) => {
    const badge = html`<b class="method ${method.toLowerCase()}">${method}</b>`;
    const link = html`<a href="${slugOf(id)}"><code>${path}</code></a>`;
    return { cells: [html`<span class="address">${badge} ${link}</span>`, summary] };
  });
  return html`${sectionHeading(name)}
    <p>${description}</p>
    ${dataTable(['operation', 'does'], rows)}`;
}

function overviewMarkdown(
  tags: OpenApiDocument['tags'],
  byTag: ReadonlyMap<string, readonly Operation[]>,
  baseUrl: string,
): string {
  const conventions = CONVENTIONS.map(([term, said]) => `- ${term}: ${said}`);
  const sections = tags.map(({ name, description = '' }) => {
    const lines = (byTag.get(name) ?? []).map(
      ({ id, method, path, summary }) => `- [\`${method} ${path}\`](${slugOf(id)}.md): ${summary}`,
    );
    return `## ${name}\n\n${description}\n\n${lines.join('\n')}\n`;
  });
  const files =
    'For tools: [openapi.json](../openapi.json) (OpenAPI 3.1); [collection.json](../collection.json) for Postman, Bruno and ' +
    'others (Postman 2.1; its variable `apiKey` is your key).';
  return `# API reference\n\nBase address: ${baseUrl}\n\n${files}\n\n${conventions.join('\n')}\n\n${sections.join('\n')}`;
}

/** The first sentence about each code in the guide on errors, as Markdown. */
function errorMeanings(): ReadonlyMap<string, string> {
  const entries = guideText('errors').matchAll(/^### `(\w+)`\n\n\d{3}\. ([\s\S]*?[.:])(?=\s)/gm);
  return new Map(
    [...entries].map(([, code = '', sentence = '']) => [
      code,
      sentence.replaceAll(/\s+/g, ' ').replace(/:$/, '.'),
    ]),
  );
}

type Components = OpenApiDocument['components'];

interface Row {
  name: string;
  description: string;
}

/** The headers that every request may send. */
const SENT: readonly Row[] = [
  {
    name: 'Authorization',
    description: '`Bearer <key>`: [keys and scopes](keys-and-scopes.md). Every address under `/v1` needs it.',
  },
  { name: 'Content-Type', description: '`application/json`, where there is a body.' },
  {
    name: 'Idempotency-Key',
    description:
      'For every POST and PATCH that changes something: makes the request safe to repeat. [Idempotency](idempotency.md).',
  },
  {
    name: 'If-Match',
    description:
      'Changes an appointment only if the version you have read is current. [Concurrent changes](concurrency.md#if-match).',
  },
  {
    name: 'Accept-Encoding',
    description: '`gzip`, `br`, `zstd` or `deflate`: responses of more than 1,400 bytes are then compressed.',
  },
];

/** Common headers of requests and responses, explained once. */
function headersPage(headers: Components['headers'], webhookHeaders: Components['parameters']): DocsPage {
  const answered = Object.entries(headers).map(([name, { description }]) => ({ name, description }));
  const posted = Object.values(webhookHeaders).map(({ name, description = '' }) => ({ name, description }));
  const sections = [
    { title: 'Of requests', text: '', rows: SENT },
    {
      title: 'Of answers',
      text: 'Every response has `X-Request-Id`, and every response under `/v1` has the headers about limits. For the other headers, see each operation.',
      rows: answered,
    },
    { title: 'Of webhooks', text: 'The headers of each delivery.', rows: posted },
  ];
  return {
    slug: 'headers',
    title: 'Headers',
    label: 'Headers',
    summary: 'The headers of requests, responses and webhooks.',
    body: () =>
      html`${sections.map(
        ({ title, text, rows }) =>
          html`${sectionHeading(title)}
            <p>${renderInline(text)}</p>
            ${headerTable(rows, title === 'Of answers')}`,
      )}`,
    outline: sections.map(({ title }) => ({ anchor: anchorOf(title), text: title })),
    markdown: () =>
      joined([
        '# Headers',
        ...sections.flatMap(({ title, text, rows }) => [
          `## ${title}`,
          text,
          rows.map(({ name, description }) => `- \`${name}\`: ${description}`).join('\n'),
        ]),
      ]),
    keywords: 'request id rate limit headers retry-after etag',
  };
}

function headerTable(rows: readonly Row[], hasAnchors: boolean): Html {
  return dataTable(
    ['header', 'meaning'],
    rows.map(({ name, description }) => ({
      cells: [html`<code>${name}</code>`, renderInline(description)],
      ...(hasAnchors && { anchor: anchorOf(name) }),
    })),
  );
}
