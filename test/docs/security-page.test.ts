import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { ROOT, textOf } from './pages.ts';

const page = textOf('SECURITY.md');
const attacks = page.slice(page.indexOf('## Who attacks'), page.indexOf('## What is not guarded'));
const lines = attacks.split('\n').filter((line) => /^\| (?!attack|---)/.test(line));

test('every wall against an attacker is held by a test that exists', () => {
  expect(lines.length).toBeGreaterThan(20);
  for (const line of lines) {
    const held = line.split(' | ')[2] ?? '';
    const tests = [...held.matchAll(/\]\((test\/[^)]+\.test\.ts)\)/g)].map(([, path = '']) => path);
    expect([line, tests.length > 0]).toEqual([line, true]);
    for (const path of tests) expect([path, existsSync(join(ROOT, path))]).toEqual([path, true]);
  }
});

test('the page says how to report a vulnerability, and its other links lead somewhere', () => {
  expect(page).toContain('\n## Report a vulnerability\n');
  const links = [...page.matchAll(/\]\(((?:docs|test)\/[^)#]+)/g)].map(([, path = '']) => path);
  for (const path of links) expect([path, existsSync(join(ROOT, path))]).toEqual([path, true]);
});
