import { html, type Html } from '../../pages/html.ts';
import type { DocsPage, PageGroup } from '../page.ts';

/** All pages by group. On a phone it is a popover, which opens and closes without a script. */
export function sidebar(groups: readonly PageGroup[], page: DocsPage, root: string): Html {
  return html`<nav id="menu" class="sidebar" aria-label="All pages" popover>
    <button type="button" class="second close" popovertarget="menu" popovertargetaction="hide">Close</button>
    ${groups.map((group) => (group.isFolded ? folded(group, page, root) : open(group, page, root)))}
  </nav>`;
}

function open({ title, pages }: PageGroup, page: DocsPage, root: string): Html {
  return html`<p class="group">${title}</p>
    ${links(pages, page, root)}`;
}

function folded({ title, pages }: PageGroup, page: DocsPage, root: string): Html {
  const isHere = pages.some(({ slug }) => slug === page.slug);
  return html`<details ${isHere && 'open'}>
    <summary>${title}</summary>
    ${links(pages, page, root)}
  </details>`;
}

function links(pages: readonly DocsPage[], page: DocsPage, root: string): Html {
  return html`<ul>
    ${pages.map((each) => link(each, each.slug === page.slug, root))}
  </ul>`;
}

function link({ slug, label, method }: DocsPage, isHere: boolean, root: string): Html {
  const badge =
    method && html` <b class="method ${method.toLowerCase()}">${method === 'DELETE' ? 'DEL' : method}</b>`;
  return html`<li><a href="${root}${slug}" ${isHere && html` aria-current="page"`}>${label}${badge}</a></li>`;
}
