import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The base styles. The colours come first; the order of the others does not matter. */
const BASE = ['tokens', 'text', 'frame', 'controls', 'tables', 'notices'];
/** The steps of spaces between and inside parts; `npm run gallery` shows them with the type and the colours. */
export const SPACES = ['0.125rem', '0.25rem', '0.5rem', '0.75rem', '1rem', '1.5rem', '2rem', '3rem', '4rem'];
/** The sizes of type, smallest first, as in `tokens.css`. */
export const TYPE = ['tiny', 'small', 'body', 'large', 'huge'];

const BASE_FOLDER = join(import.meta.dirname, 'styles');

/**
 * One stylesheet: the base, then one file per subject from a folder. Later rules override earlier ones of the same
 * specificity, so subjects use their own classes.
 */
export function styleSheet(folder: string): string {
  const base = BASE.map((name) => join(BASE_FOLDER, `${name}.css`));
  const subjects = readdirSync(folder)
    .sort()
    .map((name) => join(folder, name));
  return [...base, ...subjects].map((file) => readFileSync(file, 'utf8')).join('\n');
}
