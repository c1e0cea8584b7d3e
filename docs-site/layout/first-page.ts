import { html } from '../../pages/html.ts';
import { codeBlock } from '../highlight.ts';
import type { DocsPage, PageGroup } from '../page.ts';
import { directory } from './directory.ts';

const CARDS: readonly { slug: string; title: string; text: string }[] = [
  {
    slug: 'quickstart',
    title: 'Quickstart',
    text: 'A first booking and a first verified webhook in ten minutes.',
  },
  {
    slug: 'appointments',
    title: 'Booking and states',
    text: 'Slots, check-in, no-show, cancelling, moving.',
  },
  {
    slug: 'lists-and-sync',
    title: 'Keep a copy in step',
    text: 'Read all appointments page by page without missing a change.',
  },
  {
    slug: 'webhooks',
    title: 'Receive webhooks',
    text: 'Verify signatures, respond quickly, and catch up after an outage.',
  },
  {
    slug: 'errors',
    title: 'Errors',
    text: 'Every error code: what it means, why it is returned and what to do.',
  },
  {
    slug: 'reference',
    title: 'API reference',
    text: 'Every operation with samples in five languages, and a form to try it.',
  },
];

/** The page at `/docs`. */
export function firstPage(title: string, groups: readonly PageGroup[], sample: string): DocsPage {
  const summary =
    'Book, reschedule, check in and cancel a clinic’s appointments over REST, and receive every change as a signed webhook.';
  return {
    slug: '',
    title,
    label: 'Home',
    summary,
    body: () =>
      html`<div class="hero">
          <div>
            <h1>${title}</h1>
            <p class="lead">${summary}</p>
            <p class="actions">
              <a class="button" href="docs/quickstart">Start in ten minutes</a>
              <a href="docs/reference">API reference</a>
            </p>
          </div>
          ${codeBlock(sample, 'bash')}
        </div>
        <h2 class="unseen">Where to begin</h2>
        <ul class="cards">
          ${CARDS.map(
            (card) =>
              html`<li class="card">
                <a href="docs/${card.slug}">${card.title}</a>
                <p>${card.text}</p>
              </li>`,
          )}
        </ul>
        <h2>All guides</h2>
        ${directory(groups, 'docs/')}
        <p class="aside">
          For tools: <a href="openapi.json">openapi.json</a>, <a href="llms.txt">llms.txt</a>, and every page
          as Markdown at its address with <code>.md</code>.
        </p>`,
    outline: [],
    markdown: () => `# ${title}\n\n${summary}\n`,
  };
}
