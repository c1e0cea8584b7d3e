import { GUIDE_GROUPS } from './guide-list.ts';

const LABELS: ReadonlyMap<string, string> = new Map(
  GUIDE_GROUPS.flatMap(({ guides }) => guides.map(({ slug, label }) => [slug, label])),
);

/** Where a link of a guide leads on the site. All guides are in one folder there. Null for what is only in the repository. */
export function siteAddress(href: string): string | null {
  if (href.startsWith('#')) return href;
  if (href === 'openapi.json') return '../openapi.json';
  const [, slug = '', fragment = ''] = /^(?:\.\.\/)?(?:operations\/)?([\w-]+)\.md(#.*)?$/.exec(href) ?? [];
  return LABELS.has(slug) ? `${slug}${fragment}` : null;
}

/** A guide that is named by its file is named by its title on the site. */
export function siteName(text: string): string {
  const slug = text.replace(/\.md$/, '');
  return slug === text ? text : (LABELS.get(slug) ?? slug);
}
