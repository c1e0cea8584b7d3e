import { html } from '../../pages/html.ts';
import type { DocsPage, PageGroup } from '../page.ts';
import { directory } from './directory.ts';

/** The page for a wrong or old link. `root` is the path to `/docs/`. */
export function missingPage(groups: readonly PageGroup[], root: string): DocsPage {
  const summary = 'There is no page at this address. The page may have been renamed.';
  return {
    slug: 'missing',
    title: 'Page not found',
    label: 'Page not found',
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
    markdown: () => `# Page not found\n\n${summary}\n`,
  };
}
