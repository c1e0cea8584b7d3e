import { anchorOf } from '../anchor.ts';
import { dataTable, sectionHeading } from '../components.ts';
import { renderInline } from '../guides/markdown.ts';
import { html, type Html } from '../../pages/html.ts';
import type { DocsPage } from '../page.ts';
import type { OpenApiDocument } from './openapi.ts';
import { joined } from './operation-markdown.ts';

type Components = OpenApiDocument['components'];

interface Row {
  name: string;
  description: string;
}

/** The headers that a request may send, whatever it asks for. */
const SENT: readonly Row[] = [
  {
    name: 'Authorization',
    description: '`Bearer <key>`: [keys and scopes](keys-and-scopes.md). Every address under `/v1` needs it.',
  },
  { name: 'Content-Type', description: '`application/json`, where there is a body.' },
  {
    name: 'Idempotency-Key',
    description:
      'Of every POST and PATCH that changes something: makes it safe to repeat. [Idempotency](idempotency.md).',
  },
  {
    name: 'If-Match',
    description:
      'Binds a change of an appointment to the version you have read. [Concurrent changes](concurrency.md#if-match).',
  },
  {
    name: 'Accept-Encoding',
    description:
      '`gzip`, `br`, `zstd` or `deflate`: answers of more than 1,400 bytes then travel compressed.',
  },
];

/** What requests and answers carry in their headers: told here once, not on every page. */
export function headersPage(
  headers: Components['headers'],
  webhookHeaders: Components['parameters'],
): DocsPage {
  const answered = Object.entries(headers).map(([name, { description }]) => ({ name, description }));
  const posted = Object.values(webhookHeaders).map(({ name, description = '' }) => ({ name, description }));
  const sections = [
    { title: 'Of requests', text: '', rows: SENT },
    {
      title: 'Of answers',
      text: '`X-Request-Id` stands in every answer, those about limits in every answer under `/v1`, the others where the operation says so.',
      rows: answered,
    },
    { title: 'Of webhooks', text: 'What each delivery to a receiver carries.', rows: posted },
  ];
  return {
    slug: 'headers',
    title: 'Headers',
    label: 'Headers',
    summary: 'The headers of requests, answers and webhooks.',
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
