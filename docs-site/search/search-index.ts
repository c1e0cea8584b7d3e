import MiniSearch from 'minisearch';
import { anchorOf } from '../anchor.ts';
import { SEARCH_OPTIONS } from '../browser/search-options.js';
import { plain } from '../guides/markdown.ts';
import type { DocsPage } from '../page.ts';
import { ALSO_CALLED } from './also-called.ts';

/** A piece of a page that the search can lead to. */
interface SearchEntry {
  /** Its address beneath `/docs/`. */
  id: string;
  page: string;
  heading: string;
  keywords: string;
  text: string;
  /** Shown beneath the title of a result. */
  about: string;
}

const ABOUT_LENGTH = 110;

/** The index of all pages, which the browser loads when the reader begins to search. */
export function searchIndex(pages: readonly DocsPage[]): MiniSearch {
  const index = new MiniSearch(SEARCH_OPTIONS);
  index.addAll(pages.flatMap(entriesOf));
  return index;
}

function entriesOf(page: DocsPage): SearchEntry[] {
  const { slug, title, label, summary, keywords = '' } = page;
  const whole = entry({ id: slug, page: title, heading: '', keywords: `${label} ${keywords}`, text: '' });
  if (page.isWide) return [{ ...whole, text: searchable(page.markdown()), about: shortened(plain(summary)) }];
  const [intro = '', ...sections] = page.markdown().split(/^(?=#{2,3} )/m);
  return [
    { ...whole, text: searchable(intro), about: shortened(plain(summary)) },
    ...sections.map((section) => sectionEntry(section, slug, title)),
  ];
}

function sectionEntry(section: string, slug: string, title: string): SearchEntry {
  const [line = '', ...rest] = section.split('\n');
  const heading = plain(line.replace(/^#+ /, ''));
  return entry({
    id: `${slug}#${anchorOf(heading)}`,
    page: title,
    heading,
    keywords: '',
    text: rest.join('\n'),
  });
}

function entry({ text, keywords, ...rest }: Omit<SearchEntry, 'about'>): SearchEntry {
  return {
    ...rest,
    keywords: `${keywords} ${ALSO_CALLED[rest.id] ?? ''}`,
    text: searchable(text),
    about: shortened(plain(text.replaceAll(/^[#|`-].*$/gm, ' '))),
  };
}

/** A dash would tie words together, and “check in” is what a check-in is called. */
function searchable(markdown: string): string {
  return plain(markdown).replaceAll(/check(?:ed|s)?[- ](?:the patient )?in\b/gi, 'checkin');
}

function shortened(text: string): string {
  return text.length <= ABOUT_LENGTH ? text : `${text.slice(0, text.lastIndexOf(' ', ABOUT_LENGTH))} …`;
}
