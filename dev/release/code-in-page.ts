import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_ROOT } from '../processes/run-script.ts';

const FENCED = /^\s*```[^\n]*\n([\s\S]*?)\n```/;

/** The block of code that follows a mark in a page. */
export function codeInPage(page: string, mark: string): string {
  const [, after] = readFileSync(join(PROJECT_ROOT, page), 'utf8').split(`${mark}\n`);
  const code = after && FENCED.exec(after)?.[1];
  if (code === undefined) throw new Error(`${page} has no code after ${mark}`);
  return code;
}
