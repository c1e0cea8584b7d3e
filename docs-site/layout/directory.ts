import { html, type Html } from '../../pages/html.ts';
import type { PageGroup } from '../page.ts';

/** All guides by group. `root` is the path to `/docs/`. */
export function directory(groups: readonly PageGroup[], root: string): Html {
  const unfolded = groups.filter(({ isFolded }) => !isFolded);
  return html`<div class="directory">
    ${unfolded.map(
      ({ title, pages }) =>
        html`<div>
          <h3>${title}</h3>
          <ul>
            ${pages.map(({ slug, label }) => html`<li><a href="${root}${slug}">${label}</a></li>`)}
          </ul>
        </div>`,
    )}
  </div>`;
}
