import type { Check } from '../../commands/diagnosis/check.ts';
import { html } from '../../pages/html.ts';
import { badge, notice, table } from '../layout/components.ts';
import type { View } from '../layout/view.ts';
import { supportPage, type Page, type PageRoute } from '../page-request.ts';
import { SUPPORT_WORDS } from './words.ts';

/** The whole service, examined when somebody asks. */
export function healthPages({ examine }: { examine: () => Promise<Check[]> }): PageRoute[] {
  return [supportPage('GET', '/support/health', async ({ view }) => healthPage(view, await examine()))];
}

function healthPage({ language }: View, checks: readonly Check[]): Page {
  const { health: words } = SUPPORT_WORDS[language];
  const isWell = checks.every(({ ok }) => ok);
  const rows = checks.map(({ name, ok, detail }) => ({
    cells: [
      name,
      ok ? badge('good', words.fine) : badge('bad', words.wrong),
      html`<span lang="en">${detail}</span>`,
    ],
  }));
  return {
    title: words.title,
    body: html`<p>${words.text}</p>
      ${notice(isWell ? 'good' : 'bad', isWell ? words.well : words.ill)}
      ${table({ caption: words.title, heads: [words.check, words.result, words.detail], rows, empty: '' })}`,
  };
}
