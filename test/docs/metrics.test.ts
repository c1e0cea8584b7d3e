import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { PROJECT_ROOT } from '../../dev/processes/run-script.ts';
import { exportedMetrics } from '../ops/exported-metrics.ts';

const section = readFileSync(join(PROJECT_ROOT, 'docs/operations/metrics.md'), 'utf8');

/** What prom-client tells of every Node process is named by its prefix alone. */
const OF_THE_PROCESS = /^(process|nodejs)_/;

let exported: Map<string, Set<string>>;

beforeAll(async () => {
  exported = await exportedMetrics();
});

/** Names in the first column of the tables, with their labels. */
function documented(): Map<string, Set<string>> {
  const cells = [...section.matchAll(/^\| (`.*?) \|/gm)].map(([, cell = '']) => cell);
  const metrics = cells.flatMap((cell) => [...cell.matchAll(/`([a-z_]+)(?:\{([\w, ]+)\})?`/g)]);
  return new Map(metrics.map(([, name = '', labels]) => [name, new Set(labels?.split(', '))]));
}

test('the guide lists exactly the metrics that the processes tell', () => {
  const told = [...exported.keys()].filter((name) => !OF_THE_PROCESS.test(name));
  expect([...documented().keys()].sort()).toEqual(told.sort());
});

test('each metric has the labels that the guide names', () => {
  for (const [name, labels] of documented()) {
    const found = exported.get(name) ?? new Set();
    if (found.size > 0) expect([name, ...found].sort()).toEqual([name, ...labels].sort());
  }
});
