import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';

const ROOMS =
  '{activities,adapters,admin,api,commands,dashboard,db,docs-site,domain,pages,sending,worker,workflows}';
const IMPORT = /^(?:import|export)\s[^'";]*?from\s*'(\.[^']+)'/gm;

/** What each file imports of ours, types too: the lint rule `import/no-cycle` passes over circles that only types make. */
const IMPORTS = new Map(
  globSync(`${ROOMS}/**/*.ts`).map((file) => {
    const found = readFileSync(file, 'utf8').matchAll(IMPORT);
    return [file, [...found].map(([, path = '']) => join(dirname(file), path))];
  }),
);

function reachableFrom(file: string): Set<string> {
  const reached = new Set<string>();
  const next = [...(IMPORTS.get(file) ?? [])];
  for (let each = next.pop(); each !== undefined; each = next.pop()) {
    if (reached.has(each)) continue;
    reached.add(each);
    next.push(...(IMPORTS.get(each) ?? []));
  }
  return reached;
}

/** Files that lead back to themselves, with all that lead to each other. */
function circles(): string[][] {
  const reaches = new Map([...IMPORTS.keys()].map((file) => [file, reachableFrom(file)]));
  const inCircles = [...reaches].filter(([file, reached]) => reached.has(file));
  const found = inCircles.map(([file, reached]) =>
    [...reached].filter((other) => reaches.get(other)?.has(file)).toSorted(),
  );
  return [...new Map(found.map((circle) => [circle.join(), circle])).values()];
}

test('no more than two files import each other in a circle, and none in the worker', () => {
  const refused = circles().filter(
    (circle) => circle.length > 2 || circle.some((file) => file.startsWith('worker/')),
  );
  expect(refused).toEqual([]);
});
