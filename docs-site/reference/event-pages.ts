import { anchorOf } from '../anchor.ts';
import { dataTable, sectionHeading } from '../components.ts';
import { codeBlock, jsonBlock } from '../highlight.ts';
import { html, type Html } from '../../pages/html.ts';
import { renderInline } from '../guides/markdown.ts';
import type { DocsPage } from '../page.ts';
import { fieldList } from './field-list.ts';
import { fieldsOf, type Field } from './fields.ts';
import type { OpenApiDocument } from './openapi.ts';
import { fenced, fieldsMarkdown, joined, jsonMarkdown } from './operation-markdown.ts';
import type { ReferenceFacts } from './operation-page.ts';

const TEST_EVENT = 'webhook.test';
/** The webhook that represents all events, for client generators. */
const ANY_EVENT = 'event';

interface Event {
  type: string;
  summary: string;
  description: string;
  fields: Field[];
  example: unknown;
}

/** The catalogue of events, then a page for each. */
export function eventPages(document: OpenApiDocument, { baseUrl }: ReferenceFacts): DocsPage[] {
  const types = Object.entries(document.webhooks).filter(([type]) => type !== ANY_EVENT);
  const events = types.map(([type, { post }]): Event => {
    const { schema, example } = post.requestBody.content['application/json'] ?? { schema: {} };
    const { summary, description } = post;
    return { type, summary, description, fields: fieldsOf(schema, document.components.schemas), example };
  });
  return [catalogue(events), ...events.map((event) => eventPage(event, baseUrl))];
}

function catalogue(events: readonly Event[]): DocsPage {
  const intro = `The service posts ${events.length} types of events to the clinic’s endpoints. See [receiving webhooks](webhooks.md).`;
  const rows = events.map(({ type, summary }) => ({
    cells: [html`<a href="${type}"><code>${type}</code></a>`, summary],
  }));
  const lines = events.map(({ type, summary }) => `- [\`${type}\`](${type}.md): ${summary}`);
  return {
    slug: 'event-types',
    title: 'Webhook events',
    label: 'All events',
    summary: `The ${events.length} types of webhook events, with the body of each.`,
    body: () =>
      html`<p>${renderInline(intro)}</p>
        ${dataTable(['type', 'sent when'], rows)}
        <p>
          Each arrives with <a href="webhooks#what-arrives">the same headers</a> in
          <a href="events#envelope">the same envelope</a>.
        </p>`,
    outline: [],
    markdown: () => joined(['# Webhook events', intro, lines.join('\n')]),
    keywords: 'webhook event types catalogue list payload',
  };
}

function eventPage(event: Event, baseUrl: string): DocsPage {
  const { type, summary, description } = event;
  return {
    slug: type,
    title: type,
    label: type,
    summary: `${summary}. ${description}`,
    isWide: true,
    body: () => eventBody(event, baseUrl),
    outline: ['Body', 'Receive it'].map((text) => ({ anchor: anchorOf(text), text })),
    markdown: () => eventMarkdown(event, baseUrl),
  };
}

function eventBody({ type, summary, description, fields, example }: Event, baseUrl: string): Html {
  return html`<div class="columns">
    <div class="words">
      <div class="intro">
        <p class="lead">${summary}.</p>
        <p>${renderInline(description)}</p>
      </div>
      <div class="details">
        ${sectionHeading('Body')} ${fieldList(fields)} ${sectionHeading('Receive it')}
        <p>
          It is posted with <a href="webhooks#what-arrives">these headers</a>.
          <a href="webhooks#verify-the-signature">Verify the signature</a>, answer 2xx within 10 seconds, and
          <a href="webhooks#duplicates">ignore an <code>id</code> you have seen</a>. ${subscription(type)}
        </p>
      </div>
    </div>
    <div class="codes">
      <div class="first-code">
        <h2 class="unseen">Samples</h2>
        <h3>Body</h3>
        ${jsonBlock(example)}
      </div>
      <div class="more-code">
        <h3>Have one sent to your endpoint</h3>
        ${codeBlock(testCommand(type, baseUrl), 'bash')}
      </div>
    </div>
  </div>`;
}

function subscription(type: string): Html {
  if (type === TEST_EVENT) return html`It comes only when it is asked for; no one subscribes to it.`;
  const [group] = type.split('.');
  return html`To be sent it, an endpoint <a href="events#subscription">subscribes</a> to <code>${type}</code>,
    <code>${group}.*</code> or <code>*</code>.`;
}

function eventMarkdown({ type, summary, description, fields, example }: Event, baseUrl: string): string {
  return joined([
    `# ${type}`,
    `${summary}. ${description}`,
    '## Body',
    fieldsMarkdown(fields),
    jsonMarkdown(example),
    '## Receive it',
    'See [receiving webhooks](webhooks.md). Send a test event to your endpoint:',
    fenced('sh', testCommand(type, baseUrl)),
  ]);
}

function testCommand(type: string, baseUrl: string): string {
  const body = type === TEST_EVENT ? '{}' : `{ "type": "${type}" }`;
  return `curl ${baseUrl}/v1/webhook-endpoints/$ENDPOINT/test-events \\
  -H "Authorization: Bearer $API_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '${body}'`;
}
