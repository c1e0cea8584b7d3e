import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createAssets, ICON, SCRIPT, STYLE, type Assets } from '../pages/assets.ts';
import { styleSheet } from '../pages/styles.ts';
import { calendarStyles } from './appointments/day/calendar-styles.ts';

const require = createRequire(import.meta.url);

const SOURCES = [
  { name: 'dashboard.js', source: require.resolve('./browser/dashboard.js'), contentType: SCRIPT },
  { name: 'confirm.js', source: require.resolve('./browser/confirm.js'), contentType: SCRIPT },
  { name: 'day.js', source: require.resolve('./browser/day.js'), contentType: SCRIPT },
  { name: 'summary.js', source: require.resolve('./browser/summary.js'), contentType: SCRIPT },
  { name: 'htmx.js', source: require.resolve('htmx.org/dist/htmx.min.js'), contentType: SCRIPT },
  { name: 'icon.svg', source: require.resolve('../pages/icon.svg'), contentType: ICON },
];

/** Scripts and styles of the pages; nothing is loaded from other hosts. */
export function loadAssets(): Assets {
  const files = SOURCES.map(({ name, source, contentType }) => ({
    name,
    contentType,
    text: readFileSync(source, 'utf8'),
  }));
  const styles = `${styleSheet(join(import.meta.dirname, 'browser/styles'))}\n${calendarStyles()}`;
  return createAssets('/', [{ name: 'dashboard.css', contentType: STYLE, text: styles }, ...files]);
}
