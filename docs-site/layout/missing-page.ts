import { html } from '../../pages/html.ts';
import type { DocsPage, PageGroup } from '../page.ts';
import { directory } from './directory.ts';

/** For a wrong or old link. `root` is the path to `/docs/`. */
export function missingPage(groups: readonly PageGroup[], root: string): DocsPage {
  const summary = 'There is no page at this address. Perhaps it has another name now.';
  return {
    slug: 'missing',
    title: 'No such page',
    label: 'No such page',
    summary,
    isMissing: true,
    body: () =>
      html`<p>${summary}</p>
        <p>
          Search for it<span class="scripted">, with the box above or the key <kbd>/</kbd></span
          >, look among the guides below, or see every operation and event in the
          <a href="${root}reference">reference</a>.
        </p>
        <h2>All guides</h2>
        ${directory(groups, root)}`,
    outline: [],
    markdown: () => `# No such page\n\n${summary}\n`,
  };
}
