import { describe, expect, test } from '@jest/globals';
import type { Command } from 'commander';
import { createProgram } from '../../admin/program.ts';
import {
  APPOINTMENT_STATUSES,
  decideStatus,
  type AppointmentStatus,
} from '../../domain/appointments/appointment-status.ts';
import { SCOPE_PRESETS, SCOPES } from '../../domain/clinic/api-scopes.ts';
import { ERROR_STATUS } from '../../domain/error-codes.ts';
import * as names from '../../domain/temporal-names.ts';
import { EVENT_TYPES } from '../../domain/webhooks/event-types.ts';
import { rowsUnder, textOf, ROOT, isThere, proseOf, writtenFiles } from './pages.ts';
import { readFile } from 'node:fs/promises';
import { SCENARIOS } from '../../bench/scenarios.ts';
import { readdirSync, readFileSync, statSync, existsSync } from 'node:fs';
import { join, basename, dirname, normalize } from 'node:path';
import { PROJECT_ROOT } from '../../dev/processes/run-script.ts';
import { exportedMetrics } from '../ops/exported-metrics.ts';

const STARTED = new Date('2026-03-02T09:30:00Z');
const BEFORE = new Date('2026-03-02T09:00:00Z');
const AFTER = new Date('2026-03-02T09:45:00Z');

describe('what the guides say is what the service does', () => {
  test('each error code is explained, under its status', () => {
    const told = [...textOf('docs/errors.md').matchAll(/^### `(\w+)`\n\n(\d{3})\. /gm)];
    expect(told.map(([, code, status]) => [code, Number(status)])).toEqual(Object.entries(ERROR_STATUS));
  });

  test('the table of transitions is that of the service', () => {
    const rows = rowsUnder(textOf('docs/appointments.md'), 'from').map(([from = '', ...cells]) => [
      unquoted(from),
      ...cells.slice(0, 3).map((cell) => cell.replace(/yes: .+/, 'yes')),
    ]);
    expect(rows).toEqual(
      APPOINTMENT_STATUSES.map((from) => [
        from,
        cellOf(from, 'attended'),
        cellOf(from, 'no_show'),
        cellOf(from, 'cancelled'),
      ]),
    );
  });

  test('every scope and preset is listed', () => {
    const page = textOf('docs/keys-and-scopes.md');
    expect(rowsUnder(page, 'scope').map(([scope = '']) => unquoted(scope))).toEqual([...SCOPES]);
    const presets = rowsUnder(page, 'preset');
    expect(presets.map(([preset = '']) => unquoted(preset))).toEqual(Object.keys(SCOPE_PRESETS));
    const [[, pms = ''] = []] = presets;
    expect(pms.split(', ').map(unquoted).sort()).toEqual([...SCOPE_PRESETS.pms].sort());
  });

  test('every event type has its payload', () => {
    const page = textOf('docs/events.md');
    expect(EVENT_TYPES.filter((type) => !page.includes(`\`${type}\``))).toEqual([]);
  });

  test('every name that operators type in Temporal is listed', () => {
    const page = textOf('docs/temporal.md');
    const typed = Object.values(names).filter((value) => typeof value === 'string');
    expect(typed.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
    const attributes = rowsUnder(page, 'name').map(([name = '', type = '']) => [unquoted(name), type]);
    expect(attributes.map(([name, type]) => [name, type?.toUpperCase()])).toEqual(
      Object.entries(names.SEARCH_ATTRIBUTES),
    );
  });

  test('every command is listed', () => {
    const page = textOf('docs/commands.md');
    const silent = { write: () => true };
    const program = createProgram({ stdout: silent, stderr: silent }, () => Promise.resolve());
    expect(wordsOf(program).filter((words) => !new RegExp(`\`${words}\\b`).test(page))).toEqual([]);
    const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };
    const npmWords = (name: string) => new RegExp(`\`npm (run (--silent )?)?${name}\\b`);
    expect(Object.keys(scripts).filter((name) => !npmWords(name).test(page))).toEqual([]);
  });
});

function unquoted(cell: string): string {
  return cell.replaceAll('`', '');
}

function cellOf(status: AppointmentStatus, to: AppointmentStatus): string {
  const at = (now: Date) => decideStatus({ status, startsAt: STARTED }, to, now).kind;
  if (at(AFTER) === 'unchanged') return '200, no event';
  if (at(AFTER) !== 'change') return '409';
  return at(BEFORE) === 'change' ? 'yes' : 'once `startsAt` has passed, else 409';
}

function wordsOf(program: Command): string[] {
  return program.commands.flatMap((group) =>
    group.commands.length === 0
      ? [group.name()]
      : group.commands.map((verb) => `${group.name()} ${verb.name()}`),
  );
}

test('the page on performance names every scenario', async () => {
  const page = await readFile(new URL('../../docs/performance.md', import.meta.url), 'utf8');
  const names = SCENARIOS.map(({ name }) => name);
  expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});

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

/** What a test cannot show. */
const NOT_SHOWN = ['not part of the software', 'not automated', 'written by the clinic'];

test('every statement about data protection leads to the setting or the test that makes it true', () => {
  const rows = textOf('docs/compliance.md')
    .split('\n')
    .filter(
      (line, at, all) =>
        line.startsWith('| ') && ![line, all[at + 1]].some((each) => each?.startsWith('| ---')),
    );
  expect(rows.length).toBeGreaterThan(30);
  expect(
    rows.filter((row) => !/\]\([^)]+\)/.test(row) && !NOT_SHOWN.some((each) => row.includes(each))),
  ).toEqual([]);
  const proven = rows.filter((row) => row.includes('](../test/') || row.includes('](../SECURITY.md)'));
  expect(proven.length).toBeGreaterThan(20);
});

const section = readFileSync(join(PROJECT_ROOT, 'docs/operations/metrics.md'), 'utf8');

/** What @prometheus-io/client tells of every Node process is named by its prefix alone. */
const OF_THE_PROCESS = /^(process|nodejs)_/;

const exported = await exportedMetrics();

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
