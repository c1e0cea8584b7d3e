import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createAssets, ICON, SCRIPT, STYLE, type Assets } from '../pages/assets.ts';
import { styleSheet } from '../pages/styles.ts';

const require = createRequire(import.meta.url);

/** What pages load, by name; nothing comes from another host. */
const SOURCES: readonly { name: string; source: string; contentType: string }[] = [
  { name: 'icon.svg', source: require.resolve('../pages/icon.svg'), contentType: ICON },
  ...['page', 'code', 'search', 'search-options', 'try-it'].map((name) => ({
    name: `${name}.js`,
    source: require.resolve(`./browser/${name}.js`),
    contentType: SCRIPT,
  })),
  { name: 'minisearch.js', source: new URL(import.meta.resolve('minisearch')).pathname, contentType: SCRIPT },
];

/** @param searchIndex as JSON */
export function loadAssets(searchIndex: string): Assets {
  const files = SOURCES.map(({ name, source, contentType }) => ({
    name,
    contentType,
    text: readFileSync(source, 'utf8'),
  }));
  const styles = styleSheet(join(import.meta.dirname, 'browser/styles'));
  const index = { name: 'search.json', contentType: 'application/json', text: searchIndex };
  return createAssets('/docs/', [{ name: 'page.css', contentType: STYLE, text: styles }, ...files, index]);
}
