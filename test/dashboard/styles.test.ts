import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { SPACES, TYPE } from '../../pages/styles.ts';
import { ROOT, textOf } from '../docs/pages.ts';

const SHEETS = ['pages/styles', 'dashboard/browser/styles', 'docs-site/browser/styles'].flatMap((folder) =>
  readdirSync(join(ROOT, folder)).map((name) => `${folder}/${name}`),
);
const TOKENS = 'pages/styles/tokens.css';
/** The colours of code in the documentation. */
const CODE = 'docs-site/browser/styles/code.css';

/** Of a space; what is wider is the width of a column. */
const WIDEST = 4;
/** Classes that are put together, such as the rows of the calendar and the colours of code. */
const COMPOSED = /^(?:lane\d|s\d|h-|in-)/;

/** What classes are written in: pages, scripts and the HTML of both. */
const SOURCES = ['pages', 'dashboard', 'docs-site', 'dev/gallery'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|js)$/.test(name))
    .map((name) => textOf(`${folder}/${name}`)),
);

test.each(SHEETS.filter((path) => path !== TOKENS))('%s uses the scale of type and space', (path) => {
  const text = textOf(path);
  const spaces = [...text.matchAll(/(?:margin|padding|gap)[a-z-]*: ([^;]+);/g)].flatMap(([, value = '']) =>
    value.includes('(') ? [] : (value.match(/\d*\.?\d+rem/g) ?? []),
  );
  expect(spaces.filter((space) => !SPACES.includes(space) && parseFloat(space) <= WIDEST)).toEqual([]);
  const sizes = [...text.matchAll(/font-size: ([^;]+);/g)].map(([, size = '']) => size);
  const scaled = new Set([...TYPE.map((name) => `var(--${name})`), 'inherit', '0']);
  expect(sizes.filter((size) => /^[\d.]+(?:rem|px)|^var/.test(size) && !scaled.has(size))).toEqual([]);
});

test('colours are written down once', () => {
  const own = SHEETS.filter((path) => ![TOKENS, CODE, 'docs-site/browser/styles/frame.css'].includes(path));
  expect(own.filter((path) => /#[0-9a-f]{3,6}\b(?![^{]*\{)/i.test(textOf(path)))).toEqual([]);
});

test('every class of the styles is used by a page', () => {
  const written = SOURCES.join('\n');
  const classes = SHEETS.flatMap((path) =>
    [...textOf(path).matchAll(/\.([a-z][\w-]*)(?=[^{}]*\{)/g)].map(([, name = '']) => name),
  );
  const unused = [...new Set(classes)].filter(
    (name) => !COMPOSED.test(name) && !new RegExp(`\\b${name}\\b`).test(written),
  );
  expect(unused).toEqual([]);
});
