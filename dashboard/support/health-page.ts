import type { Check } from '../../commands/diagnosis/check.ts';
import { html, type Html } from '../../pages/html.ts';
import { badge, notice, table } from '../layout/components.ts';
import type { View } from '../layout/view.ts';
import { supportPage, type Page, type PageRoute } from '../serving/page-request.ts';
import { SUPPORT_WORDS } from './words.ts';

const ADDRESS = '/support/health';
const EXAMINED = `${ADDRESS}?examined=yes`;

/** The page with all checks. It loads without waiting for them, and then requests their results. */
export function healthPages({ examine }: { examine: () => Promise<Check[]> }): PageRoute[] {
  return [
    supportPage('GET', ADDRESS, async ({ view, query }) =>
      healthPage(view, query.has('examined') ? result(view, await examine()) : yetToBeExamined(view)),
    ),
  ];
}

function healthPage({ language }: View, body: Html): Page {
  const { health: words } = SUPPORT_WORDS[language];
  return {
    title: words.title,
    body: html`<p>${words.text}</p>
      ${body}`,
  };
}

function yetToBeExamined({ language }: View): Html {
  const { health: words } = SUPPORT_WORDS[language];
  return html`<div
    hx-get="${EXAMINED}"
    hx-trigger="load"
    hx-select="#result"
    hx-swap="outerHTML"
    aria-live="polite"
  >
    <p class="actions"><a class="button" href="${EXAMINED}">${words.examine}</a></p>
  </div>`;
}

function result({ language }: View, checks: readonly Check[]): Html {
  const { health: words } = SUPPORT_WORDS[language];
  const isWell = checks.every(({ ok }) => ok);
  const rows = checks.map(({ name, ok, detail }) => ({
    cells: [
      name,
      ok ? badge('good', words.fine) : badge('bad', words.wrong),
      html`<span lang="en">${detail}</span>`,
    ],
  }));
  return html`<div id="result">
    ${notice(isWell ? 'good' : 'bad', isWell ? words.well : words.ill)}
    ${table({ caption: words.title, heads: [words.check, words.result, words.detail], rows, empty: '' })}
  </div>`;
}
