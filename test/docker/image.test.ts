import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import { PROJECT_ROOT } from '../../dev/processes/run-script.ts';

const IMPORT =
  /^\s*(?:import|export)\b[^'"]*?from '([^']+)'|^import '([^']+)'|(?:import|require\.resolve)\('([^']+)'\)/gm;
const TYPE_ONLY = /^\s*(?:import|export) type /;

const dockerfile = readFileSync(join(PROJECT_ROOT, 'Dockerfile'), 'utf8');
const manifest = JSON.parse(readFileSync(join(PROJECT_ROOT, 'package.json'), 'utf8')) as {
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
};
const copied = [...dockerfile.matchAll(/^COPY (.+) \.\/\S*$/gm)].flatMap(([, sources = '']) =>
  sources.split(' '),
);

test('the image runs on the Node that the project pins', () => {
  const [, version] = /^FROM node:(\d+\.\d+\.\d+)-/m.exec(dockerfile) ?? [];
  expect(version).toBe(manifest.devDependencies['node']);
});

test('the image is built on one whose digest is named', () => {
  expect(dockerfile).toMatch(/^FROM \S+@sha256:[0-9a-f]{64}$/m);
});

test('the image runs as an unprivileged user', () => {
  const users = [...dockerfile.matchAll(/^USER (\S+)$/gm)].map(([, user]) => user);
  expect(users.at(-1)).toBe('node');
});

test('everything that is copied exists and is let through to the builder', () => {
  const ignore = readFileSync(join(PROJECT_ROOT, '.dockerignore'), 'utf8').split('\n');
  for (const source of copied.map((path) => path.replace(/^\.\//, ''))) {
    expect([source, existsSync(join(PROJECT_ROOT, source))]).toEqual([source, true]);
    expect(ignore).toContain(`!${source}`);
  }
});

test.each([
  'api/main.ts',
  'worker/main.ts',
  'worker/setup-main.ts',
  'admin/logins-main.ts',
  'admin/migrate-main.ts',
  'admin/storage-account-main.ts',
  'admin/storage-policy-main.ts',
  'admin/main.ts',
])('%s needs only files of the image and packages that are installed there', (entry) => {
  const { files, packages } = importsOf(entry);
  const rooms = new Set(files.map((file) => file.split('/')[0]));
  expect([...rooms].filter((room) => room === undefined || !copied.includes(room))).toEqual([]);
  expect(packages.filter((name) => !(name in manifest.dependencies))).toEqual([]);
  expect(files.length).toBeGreaterThan(2);
});

test('the workflows, which the worker bundles by itself, need only files of the image', () => {
  const { files, packages } = importsOf('workflows/all-workflows.ts');
  expect(files.filter((file) => !copied.includes(file.split('/')[0] ?? ''))).toEqual([]);
  expect(packages.filter((name) => !(name in manifest.dependencies))).toEqual([]);
});

/** Follows the imports and the resolved paths that are left when Node has stripped the types. */
function importsOf(entry: string): { files: string[]; packages: string[] } {
  const [files, packages] = [new Set<string>(), new Set<string>()];
  const open = [resolve(PROJECT_ROOT, entry)];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (files.has(file)) continue;
    files.add(file);
    for (const specifier of specifiersIn(file)) {
      if (specifier.startsWith('.')) open.push(resolve(dirname(file), specifier));
      else if (!specifier.startsWith('node:')) packages.add(packageOf(specifier));
    }
  }
  return { files: [...files].map((file) => relative(PROJECT_ROOT, file)), packages: [...packages] };
}

function specifiersIn(file: string): string[] {
  return [...readFileSync(file, 'utf8').matchAll(IMPORT)]
    .filter(([statement]) => !TYPE_ONLY.test(statement))
    .flatMap(([, ...specifiers]) => specifiers.filter((specifier) => specifier !== undefined));
}

function packageOf(specifier: string): string {
  const [scope = '', name] = specifier.split('/');
  return scope.startsWith('@') ? `${scope}/${name}` : scope;
}
