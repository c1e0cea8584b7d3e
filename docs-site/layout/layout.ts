import { html, trusted, type Html } from '../../pages/html.ts';
import type { DocsPage, PageGroup } from '../page.ts';

/** The common data of all pages. */
export interface SiteFrame {
  title: string;
  groups: readonly PageGroup[];
  /** The path of scripts and styles, relative to `/docs/`. */
  assets: string;
}

/**
 * A whole page. Addresses are relative, so that the site works behind a proxy with a prefix.
 * @param root the path to `/docs/`: the first page is at /docs itself, the others below
 */
export function layout(page: DocsPage, frame: SiteFrame, root = page.slug === '' ? 'docs/' : ''): Html {
  const assets = `${root}${frame.assets}`;
  return html`${trusted('<!doctype html>')}
    <html lang="en">
      ${head(page, frame, assets)}
      <body>
        <a class="skip" href="#main">Skip to the text</a>
        ${header(page, frame, root, assets)}
        <div class="frame">
          ${sidebar(frame.groups, page, root)}
          <main id="main" tabindex="-1">
            ${article(page)} ${isOneOfMany(page) && neighbours(page, frame.groups)}
          </main>
          ${page.slug !== '' && !page.isWide && onThisPage(page)}
        </div>
      </body>
    </html>`;
}

/** Whether a page is neither the first page nor the error page. */
function isOneOfMany({ slug, isMissing }: DocsPage): boolean {
  return slug !== '' && !isMissing;
}

function head(page: DocsPage, frame: SiteFrame, assets: string): Html {
  const { title, summary, slug } = page;
  return html`<head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>${slug === '' ? frame.title : `${title} · ${frame.title}`}</title>
    <meta name="description" content="${summary}" />
    <link rel="icon" href="${assets}/icon.svg" type="image/svg+xml" />
    <link rel="stylesheet" href="${assets}/page.css" />
    ${isOneOfMany(page) && html`<link rel="alternate" type="text/markdown" href="${slug}.md" />`}
    <script type="module" src="${assets}/page.js"></script>
  </head>`;
}

function header({ slug }: DocsPage, { title }: SiteFrame, root: string, assets: string): Html {
  return html`<header>
    <a class="home" href="${slug === '' ? 'docs' : `${root}../docs`}"
      ><img src="${assets}/icon.svg" alt="" width="24" height="24" />${title}</a
    >
    ${searchBox(root, assets)}
    <nav aria-label="Site" class="shortcuts">
      <a href="${root}quickstart">Quickstart</a>
      <a href="${root}reference">Reference</a>
      <a href="${root}webhooks">Webhooks</a>
    </nav>
    <button type="button" class="menu-button" popovertarget="menu">Menu</button>
  </header>`;
}

function article(page: DocsPage): Html {
  const { title, body, isWide, slug } = page;
  if (slug === '') return html`<article class="first">${body()}</article>`;
  return html`<article ${isWide && html`class="wide"`}>
    <div class="title">
      <h1>${brokenAtDots(title)}</h1>
      ${isOneOfMany(page) && html`<p class="tools"><a href="${slug}.md">Markdown</a></p>`}
    </div>
    ${body()}
  </article>`;
}

/** Lets an event's name break at its dots. */
function brokenAtDots(title: string): Html {
  return html`${title.split('.').map((part, index) => html`${index > 0 && html`.<wbr />`}${part}`)}`;
}

function onThisPage({ outline }: DocsPage): Html {
  if (outline.length < 2) return html``;
  return html`<nav class="outline" aria-label="On this page">
    <p>On this page</p>
    <ul>
      ${outline.map(({ anchor, text }) => html`<li><a href="#${anchor}">${text}</a></li>`)}
    </ul>
  </nav>`;
}

function neighbours(page: DocsPage, groups: readonly PageGroup[]): Html {
  const pages = groups.flatMap((group) => group.pages);
  const at = pages.findIndex(({ slug }) => slug === page.slug);
  const before = pages[at - 1];
  const after = pages[at + 1];
  return html`<nav class="neighbours" aria-label="Previous and next">
    ${before && html`<a rel="prev" href="${before.slug}"><span>Previous</span> ${before.label}</a>`}
    ${after && html`<a rel="next" href="${after.slug}"><span>Next</span> ${after.label}</a>`}
  </nav>`;
}

/** The search box. The search runs in the browser, so the box is shown only if scripts run. */
function searchBox(root: string, assets: string): Html {
  return html`<search class="scripted">
    <input
      type="search"
      id="search"
      placeholder="Search"
      aria-label="Search the documentation"
      role="combobox"
      aria-expanded="false"
      aria-controls="results"
      aria-autocomplete="list"
      autocomplete="off"
      spellcheck="false"
      data-root="${root}"
      data-assets="${assets}"
    />
    <kbd aria-hidden="true">/</kbd>
    <ul id="results" role="listbox" aria-label="Results" hidden></ul>
    <p id="search-status" class="unseen" role="status"></p>
  </search>`;
}

/** All pages by group. On a phone it is a popover, which needs no script. */
function sidebar(groups: readonly PageGroup[], page: DocsPage, root: string): Html {
  return html`<nav id="menu" class="menu" aria-label="All pages" popover>
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
