import type { Html } from '../pages/html.ts';

/** A page of the site, as HTML and as Markdown. */
export interface DocsPage {
  /** The last part of the page's address, `/docs/<slug>`; empty for the first page. */
  slug: string;
  title: string;
  /** The page's name in the sidebar. */
  label: string;
  /** A summary: one or two sentences of plain text. */
  summary: string;
  /** The HTTP method, for the page of an operation. */
  method?: string;
  /** Whether the page is shown for every URL that has no page (404). */
  isMissing?: true;
  /** Whether text is next to code, without a table of contents. */
  isWide?: true;
  /** Builds everything below the title, on request. */
  body: () => Html;
  /** Second-level headings, for “On this page”. */
  outline: readonly Heading[];
  markdown: () => string;
  /** Synonyms for the search. */
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
  /** A long group is collapsed unless it contains the current page. */
  isFolded?: true;
}
