import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { siteFile, type SiteFile } from './site-file.ts';

const require = createRequire(import.meta.url);

const SCRIPT = 'text/javascript; charset=utf-8';

/** What pages load, by name; nothing comes from another host. */
const SOURCES: readonly { name: string; source: string; contentType: string }[] = [
  { name: 'page.css', source: require.resolve('./browser/page.css'), contentType: 'text/css; charset=utf-8' },
  { name: 'icon.svg', source: require.resolve('./browser/icon.svg'), contentType: 'image/svg+xml' },
  ...['page', 'code', 'search', 'search-terms', 'try-it'].map((name) => ({
    name: `${name}.js`,
    source: require.resolve(`./browser/${name}.js`),
    contentType: SCRIPT,
  })),
  { name: 'minisearch.js', source: new URL(import.meta.resolve('minisearch')).pathname, contentType: SCRIPT },
];

/** Files that never change: their folder is named after what is in them. */
export interface Assets {
  /** Relative to `/docs/`. */
  folder: string;
  /** By address. */
  files: ReadonlyMap<string, SiteFile>;
}

/** @param searchIndex as JSON */
export function loadAssets(searchIndex: string): Assets {
  const contents = [
    ...SOURCES.map(({ name, source, contentType }) => ({
      name,
      contentType,
      text: readFileSync(source, 'utf8'),
    })),
    { name: 'search.json', contentType: 'application/json', text: searchIndex },
  ];
  const hash = createHash('sha256');
  for (const { name, text } of contents) hash.update(name).update(text);
  const folder = `assets/${hash.digest('hex').slice(0, 12)}`;
  const files = contents.map(({ name, contentType, text }): [string, SiteFile] => [
    `/docs/${folder}/${name}`,
    siteFile({ text: withoutMap(text), contentType, isImmutable: true }),
  ]);
  return { folder, files: new Map(files) };
}

/** Nobody serves the map. */
function withoutMap(script: string): string {
  return script.replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n');
}
