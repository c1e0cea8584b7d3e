import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

/** Everyone who clones the repository has them for ever. */
const LARGEST = 80 * 1024;
const FOLDER = 'docs/images';

const texts = ['README.md', ...readdirSync('docs').map((name) => join('docs', name))]
  .filter((path) => path.endsWith('.md'))
  .map((path) => readFileSync(path, 'utf8'));

test('pictures of the documents are small, and each is shown somewhere', () => {
  for (const name of readdirSync(FOLDER)) {
    const bytes = statSync(join(FOLDER, name)).size;
    const isShown = texts.some((text) => text.includes(`images/${name})`));
    expect([name, isShown, bytes <= LARGEST]).toEqual([name, true, true]);
  }
});
