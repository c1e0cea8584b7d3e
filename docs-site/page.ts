import type { Html } from '../pages/html.ts';

/** A page of the site, as HTML and as Markdown. */
export interface DocsPage {
  /** The last part of its address, `/docs/<slug>`; empty for the first page. */
  slug: string;
  title: string;
  /** Its name in the sidebar. */
  label: string;
  /** One or two sentences of plain text. */
  summary: string;
  /** The HTTP method, for the page of an operation. */
  method?: string;
  /** Shown for every URL that has no page (404). */
  isMissing?: true;
  /** Text next to code, without a table of contents. */
  isWide?: true;
  /** Everything below the title; built on request. */
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
