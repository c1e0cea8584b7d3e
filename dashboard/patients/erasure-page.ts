import { keptOf, type Erased } from '../../commands/patients/erase-patient.ts';
import { html } from '../../pages/html.ts';
import { facts, notice } from '../layout/components.ts';
import type { View } from '../layout/view.ts';
import { PATIENTS } from '../search/search-box.ts';
import type { Page } from '../serving/page-request.ts';
import { DATA_WORDS } from './data-words.ts';

/** What an erasure erased, and what stays and why. */
export function erasurePage(view: View, erased: Erased): Page {
  const { result, search } = DATA_WORDS[view.language];
  const counts = Object.entries(result.erased) as [keyof typeof result.erased, string][];
  return {
    title: result.title,
    body: html`${notice('good', result.done)}
      <h2>${result.erasedTitle}</h2>
      ${facts(counts.map(([what, label]) => [label, view.format.number(erased[what])]))}
      ${erased.recordings > 0 && html`<p>${result.recordings}</p>`}
      <h2>${result.keptTitle}</h2>
      <ul>
        ${keptOf(erased).map((what) => html`<li>${result.kept[what]}</li>`)}
      </ul>
      <p>${result.told}</p>
      <p><a href="${PATIENTS}">${search}</a></p>`,
  };
}
