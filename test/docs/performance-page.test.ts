import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { SCENARIOS } from '../../bench/scenarios.ts';

test('the page on performance names every scenario', async () => {
  const page = await readFile(new URL('../../docs/performance.md', import.meta.url), 'utf8');
  const names = SCENARIOS.map(({ name }) => name);
  expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});
