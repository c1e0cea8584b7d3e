import { readFileSync } from 'node:fs';
import type { DocsPage, PageGroup } from '../page.ts';
import { GUIDE_GROUPS, type GuideEntry } from './guide-list.ts';
import { renderMarkdown } from './markdown.ts';
import { siteAddress } from './site-address.ts';

/** How a command of a guide has to read today and here. */
export type Current = (command: string) => string;

/** The guides as pages, made from the files in `docs/`. */
export function guidePages(current: Current): PageGroup[] {
  return GUIDE_GROUPS.map(({ title, guides }) => ({
    title,
    pages: guides.map((entry) => guidePage(entry, current)),
  }));
}

function guidePage({ slug, label, folder }: GuideEntry, current: Current): DocsPage {
  const text = withCommands(guideText(slug, folder), current);
  const markdown = () => withSiteLinks(text.replaceAll(/^<!--.*-->\n/gm, ''));
  return { slug, label, ...renderMarkdown(text), markdown };
}

/** A guide as it stands in the repository. */
export function guideText(slug: string, folder?: GuideEntry['folder']): string {
  const path = folder === undefined ? `${slug}.md` : `${folder}/${slug}.md`;
  return readFileSync(new URL(`../../docs/${path}`, import.meta.url), 'utf8');
}

/** What is typed in a terminal has to work today; what once arrived stays as it was signed. */
function withCommands(text: string, current: Current): string {
  return text.replaceAll(/^```sh\n[\s\S]*?^```$/gm, current);
}

function withSiteLinks(markdown: string): string {
  return markdown.replaceAll(/!?\[([^\]]*)\]\(([^)\s]+)\)/g, (whole, text: string, href: string) => {
    if (/^(https?:|#)/.test(href)) return whole;
    const [address = '', fragment = ''] = (siteAddress(href) ?? '').split('#');
    // What is only in the repository is named, and leads nowhere.
    if (address === '') return text;
    if (address.includes('.')) return `[${text}](${address})`;
    return `[${text}](${address}.md${fragment && `#${fragment}`})`;
  });
}
