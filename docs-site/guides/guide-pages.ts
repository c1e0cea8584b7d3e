import { readFileSync } from 'node:fs';
import type { DocsPage, PageGroup } from '../page.ts';
import { GUIDE_GROUPS, type GuideEntry } from './guide-list.ts';
import { renderMarkdown } from './markdown.ts';
import { withSampleFiles } from './sample-files.ts';
import { siteAddress } from './site-address.ts';

/** Adapts a guide's command to the current date and address. */
export type Current = (command: string) => string;

/** The guides in `docs/` as pages. */
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

/** A guide's text, with the code of the files that it shows. */
export function guideText(slug: string, folder?: GuideEntry['folder']): string {
  const path = folder === undefined ? `${slug}.md` : `${folder}/${slug}.md`;
  return withSampleFiles(readFileSync(new URL(`../../docs/${path}`, import.meta.url), 'utf8'));
}

/**
 * The guide with commands that work today. Examples of received requests stay unchanged, because of their signatures.
 */
function withCommands(text: string, current: Current): string {
  return text.replaceAll(/^```sh\n[\s\S]*?^```$/gm, current);
}

function withSiteLinks(markdown: string): string {
  return markdown.replaceAll(/!?\[([^\]]*)\]\(([^)\s]+)\)/g, (whole, text: string, href: string) => {
    if (/^(https?:|#)/.test(href)) return whole;
    const [address = '', fragment = ''] = (siteAddress(href) ?? '').split('#');
    // Files that are only in the repository are named without a link.
    if (address === '') return text;
    if (address.includes('.')) return `[${text}](${address})`;
    return `[${text}](${address}.md${fragment && `#${fragment}`})`;
  });
}
