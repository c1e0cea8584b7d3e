import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createAssets, ICON, SCRIPT, STYLE, type Assets } from '../pages/assets.ts';

const require = createRequire(import.meta.url);

const SOURCES = [
  { name: 'dashboard.css', source: require.resolve('./browser/dashboard.css'), contentType: STYLE },
  { name: 'dashboard.js', source: require.resolve('./browser/dashboard.js'), contentType: SCRIPT },
  { name: 'htmx.js', source: require.resolve('htmx.org/dist/htmx.min.js'), contentType: SCRIPT },
  { name: 'icon.svg', source: require.resolve('../pages/icon.svg'), contentType: ICON },
];

/** What pages load; nothing comes from another host. */
export function loadAssets(): Assets {
  return createAssets(
    '/',
    SOURCES.map(({ name, source, contentType }) => ({
      name,
      contentType,
      text: readFileSync(source, 'utf8'),
    })),
  );
}
