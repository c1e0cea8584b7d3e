import { GUIDE_GROUPS } from './guide-list.ts';

const LABELS: ReadonlyMap<string, string> = new Map(
  GUIDE_GROUPS.flatMap(({ guides }) => guides.map(({ slug, label }) => [slug, label])),
);

/** The site address of a guide's link. All guides are in one folder. Null for files that are only in the repository. */
export function siteAddress(href: string): string | null {
  if (href.startsWith('#')) return href;
  if (href === 'openapi.json') return '../openapi.json';
  const [, slug = '', fragment = ''] = /^(?:\.\.\/)?(?:operations\/)?([\w-]+)\.md(#.*)?$/.exec(href) ?? [];
  return LABELS.has(slug) ? `${slug}${fragment}` : null;
}

/** A guide named by its file gets its title on the site. */
export function siteName(text: string): string {
  const slug = text.replace(/\.md$/, '');
  return slug === text ? text : (LABELS.get(slug) ?? slug);
}
