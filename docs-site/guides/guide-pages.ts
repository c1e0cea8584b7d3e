import { readFileSync } from 'node:fs';
import type { DocsPage, PageGroup } from '../page.ts';
import { GUIDE_GROUPS, type GuideEntry } from './guide-list.ts';
import { renderMarkdown } from './markdown.ts';
import { siteAddress } from './site-address.ts';

/** The guides as pages, made from the files in `docs/`. `shiftDates` moves the dates of their commands ahead of today. */
export function guidePages(shiftDates: (text: string) => string): PageGroup[] {
  return GUIDE_GROUPS.map(({ title, guides }) => ({
    title,
    pages: guides.map((entry) => guidePage(entry, shiftDates)),
  }));
}

function guidePage({ slug, label }: GuideEntry, shiftDates: (text: string) => string): DocsPage {
  const text = shiftCommands(guideText(slug), shiftDates);
  const markdown = () => withSiteLinks(text.replaceAll(/^<!--.*-->\n/gm, ''));
  return { slug, label, ...renderMarkdown(text), markdown };
}

/** A guide as it stands in the repository. */
export function guideText(slug: string): string {
  return readFileSync(new URL(`../../docs/${slug}.md`, import.meta.url), 'utf8');
}

/** What is typed in a terminal has to work today; what once arrived stays as it was signed. */
function shiftCommands(text: string, shiftDates: (text: string) => string): string {
  return text.replaceAll(/^```sh\n[\s\S]*?^```$/gm, shiftDates);
}

function withSiteLinks(markdown: string): string {
  return markdown.replaceAll(/\]\(([^)\s]+)\)/g, (whole, href: string) => {
    if (/^(https?:|#)/.test(href)) return whole;
    const [address = '', fragment = ''] = (siteAddress(href) ?? '').split('#');
    if (address === '' || address.includes('.')) return address === '' ? ']' : `](${address})`;
    return `](${address}.md${fragment && `#${fragment}`})`;
  });
}
