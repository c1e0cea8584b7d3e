import type { Html } from '../pages/html.ts';

/** A page of the site: once for people, once as Markdown. */
export interface DocsPage {
  /** The last part of its address, `/docs/<slug>`; that of the first page is empty. */
  slug: string;
  title: string;
  /** Its name in the sidebar. */
  label: string;
  /** One or two sentences, plain. */
  summary: string;
  /** GET and the like, for the page of an operation. */
  method?: string;
  /** Whether it stands at every address that has no page. */
  isMissing?: true;
  /** Whether its words stand beside code, and so need no list of what is on it. */
  isWide?: true;
  /** Everything below the title; made when it is asked for. */
  body: () => Html;
  /** The headings of the second rank, for “On this page”. */
  outline: readonly Heading[];
  markdown: () => string;
  /** What else a reader may call it, for the search. */
  keywords?: string;
}

export interface Heading {
  anchor: string;
  text: string;
}

/** Pages under one title of the sidebar. */
export interface PageGroup {
  title: string;
  pages: readonly DocsPage[];
  /** A long group unfolds only around the page that is open. */
  isFolded?: true;
}
