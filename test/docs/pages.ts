import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

export const ROOT = resolve(import.meta.dirname, '../..');

const NOT_OURS = new Set(['node_modules', '.git', '.local', 'coverage', 'histories']);
const WRITTEN_BY_PROGRAMS = new Set(['package-lock.json', 'docs/openapi.json']);
const TEXT = /(?:\.(?:ts|js|json|md|yml|css|html|example)|Dockerfile)$/;

/** Every text that someone has written, by its path from the root of the repository. */
export function writtenFiles(): string[] {
  return readdirSync(ROOT, { withFileTypes: true })
    .filter(({ name }) => !NOT_OURS.has(name))
    .flatMap((entry) =>
      entry.isDirectory() ? filesWithin(join(ROOT, entry.name)) : [join(ROOT, entry.name)],
    )
    .map((path) => relative(ROOT, path))
    .filter((path) => TEXT.test(path) && !WRITTEN_BY_PROGRAMS.has(path));
}

function filesWithin(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.split('/').some((part) => NOT_OURS.has(part)));
}

/** A file's text by its path from the root. */
export function textOf(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

/** A page without its code, in which `#` and brackets mean something else. */
export function proseOf(path: string): string {
  return textOf(path).replaceAll(/^```[\s\S]*?^```$/gm, '');
}

const FENCED = /^```\w*\n([\s\S]*?)^```$/m;

/** The code that follows a mark in a page. */
export function codeAfter(path: string, mark: string): string {
  const [, after] = textOf(path).split(`${mark}\n`);
  const code = after && FENCED.exec(after)?.[1];
  if (code === undefined) throw new Error(`${path} has no code after ${mark}`);
  return code;
}

/** Whether `docs/errors.md#codes` names a page and a heading in it, or `docs/errors.md` a page. */
export function isThere(citation: string): boolean {
  const [path = '', section] = citation.split('#');
  if (!existsSync(join(ROOT, path))) return false;
  return section === undefined || sectionsOf(path).includes(section);
}

function sectionsOf(path: string): string[] {
  return [...proseOf(path).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => anchorOf(title));
}

/** As GitHub makes them. */
function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');
}

/** The rows of the tables whose head starts with `heading`, as lists of cells. */
export function rowsUnder(page: string, heading: string): string[][] {
  const [, ...tables] = page.split(`\n| ${heading} |`);
  return tables.flatMap((table) => {
    const [rows = ''] = table.split('\n\n');
    return rows
      .trim()
      .split('\n')
      .slice(2)
      .map((row) =>
        row
          .split('|')
          .slice(1, -1)
          .map((cell) => cell.trim()),
      );
  });
}
