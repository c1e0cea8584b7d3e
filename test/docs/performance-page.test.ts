import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { markersOf } from '../../bench/report/document.ts';
import { SCENARIOS } from '../../bench/scenarios.ts';

test('the page on performance has a place for the figures of every scenario, in their order', async () => {
  const page = await readFile(new URL('../../docs/performance.md', import.meta.url), 'utf8');
  const markers = SCENARIOS.flatMap(({ name }) => Object.values(markersOf(name)));
  const found = page.split('\n').filter((line) => line.startsWith('<!-- bench:'));
  expect(found).toEqual(markers);
});
