import { existsSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { isThere, proseOf, ROOT, textOf, writtenFiles } from './pages.ts';

const files = writtenFiles();
const pages = files.filter((path) => path.endsWith('.md'));

describe('what is cited', () => {
  test('every page and section that a comment cites is there', () => {
    const cited = files.flatMap((path) => matchesIn(path, /\bdocs\/[\w./-]+\.md(?:#[\w-]+)?/g));
    expect(cited.length).toBeGreaterThan(60);
    expect(cited.filter(({ text }) => !isThere(text))).toEqual([]);
  });

  test('every link from one page to another, or within a page, leads somewhere', () => {
    const links = pages.flatMap((path) =>
      [...proseOf(path).matchAll(/\]\(([^)\s]+)\)/g)]
        .map(([, target = '']) => target)
        .filter((target) => !/^https?:/.test(target))
        .map((target) => ({ path, target, leadsTo: resolved(path, target) })),
    );
    expect(links.length).toBeGreaterThan(150);
    expect(links.filter(({ leadsTo }) => !isThere(leadsTo))).toEqual([]);
  });

  test('no document is named that the repository does not have', () => {
    const named = files.flatMap((path) => matchesIn(path, /(?<![\w*/.-])[\w./-]*\w\.md\b/g));
    const unknown = named.filter(
      ({ path, text }) => ![text, join(dirname(path), text), join('docs', text)].some(exists),
    );
    expect(unknown).toEqual([]);
  });

  test('every source file that a page names by its path, or a comment by its name, is there', () => {
    const named = pages
      .flatMap((path) => matchesIn(path, /(?<![\w*/.-])(?:[\w-]+\/)+[\w.-]+\.ts\b/g))
      .filter(({ text }) => !text.includes('NNN'));
    expect(named.length).toBeGreaterThan(100);
    expect(named.filter(({ text }) => !files.some((path) => `/${path}`.endsWith(`/${text}`)))).toEqual([]);
    const names = new Set(files.map((path) => basename(path)));
    const mentioned = files
      .filter((path) => path.endsWith('.ts'))
      .flatMap((path) => matchesIn(path, /(?<=^\s*(?:\/?\*|\/\/).*[\s(`])[\w-]+(?:\.[\w-]+)*\.ts\b/gm));
    expect(mentioned.length).toBeGreaterThan(30);
    expect(mentioned.filter(({ text }) => !names.has(text))).toEqual([]);
  });

  test('no document is cited by a name in capitals', () => {
    expect(files.flatMap((path) => matchesIn(path, /\b[A-Z]{5,}(?:\.md)?, "[A-Z]/g))).toEqual([]);
  });
});

function matchesIn(path: string, pattern: RegExp): { path: string; text: string }[] {
  return [...textOf(path).matchAll(pattern)].map(([text]) => ({ path, text }));
}

/** A link is relative to its page; one that begins with # stays on it. */
function resolved(path: string, target: string): string {
  return target.startsWith('#') ? `${path}${target}` : normalize(join(dirname(path), target));
}

function exists(path: string): boolean {
  return existsSync(join(ROOT, path));
}
