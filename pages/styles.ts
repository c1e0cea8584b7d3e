import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What all pages look like. The colours come first; of the others none asks which comes before it. */
const BASE = ['tokens', 'text', 'frame', 'controls', 'tables', 'notices'];
const BASE_FOLDER = join(import.meta.dirname, 'styles');

/**
 * One stylesheet: the base of all pages, and then what stands in a folder, a file a subject.
 * Later rules win over earlier ones of the same weight, so subjects keep to classes of their own.
 */
export function styleSheet(folder: string): string {
  const base = BASE.map((name) => join(BASE_FOLDER, `${name}.css`));
  const subjects = readdirSync(folder)
    .sort()
    .map((name) => join(folder, name));
  return [...base, ...subjects].map((file) => readFileSync(file, 'utf8')).join('\n');
}
