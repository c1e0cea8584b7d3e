import { writeFileSync } from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { buffer } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { listenUntilDisposed } from '../../adapters/connections/listen-until-disposed.ts';
import { ACCEPTED_NOTICES } from '../../dev/supply-chain/accepted-notices.ts';
import { findDeprecations, findKnownHoles, refusedNotices } from '../../dev/supply-chain/package-notices.ts';
import { forSuite } from '../support/for-suite.ts';

const DEPRECATED = 'Use @better/metrics. This package gets no fixes.';
const HOLE = {
  id: 1,
  url: 'https://github.com/advisories/GHSA-aaaa-bbbb-cccc',
  title: 'Reads beyond the end',
  severity: 'high',
  vulnerable_versions: '<2.0.0',
  cwe: ['CWE-125'],
  cvss: { score: 7.5, vectorString: null },
};

const PACKAGES: Record<string, object> = { 'old-metrics': { deprecated: DEPRECATED }, sound: {} };

let answersAudits = true;
const server = createServer((request, response) => {
  const json = (body: unknown, status = 200) =>
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  if (request.url === '/-/npm/v1/security/advisories/bulk')
    return void buffer(request).then((sent) => {
      const isZipped = request.headers['content-encoding'] === 'gzip';
      const asked = JSON.parse(String(isZipped ? gunzipSync(sent) : sent)) as Record<string, string[]>;
      if (!answersAudits) return json({ error: 'not here' }, 405);
      return json(asked['old-metrics'] ? { 'old-metrics': [HOLE] } : {});
    });
  const name = decodeURIComponent(request.url?.slice(1) ?? '');
  return void (name in PACKAGES ? json(packument(name)) : json({ error: 'not found' }, 404));
});
const { port } = await forSuite(listenUntilDisposed(server));
const { path: directory } = await forSuite(mkdtempDisposable(join(tmpdir(), 'notices-')));
const project = { directory, registry: `http://127.0.0.1:${port}/` };
writeProject({ 'old-metrics': '1.0.0', sound: '1.0.0' });

function packument(name: string) {
  const version = {
    name,
    version: '1.0.0',
    dist: { tarball: `${project.registry}${name}/-/${name}-1.0.0.tgz`, shasum: '0'.repeat(40) },
    ...PACKAGES[name],
  };
  return { name, 'dist-tags': { latest: '1.0.0' }, versions: { '1.0.0': version }, time: {} };
}

function writeProject(dependencies: Record<string, string>): void {
  const manifest = { name: 'some', version: '1.0.0', dependencies };
  const installed = Object.entries(dependencies).map(([name, version]) => [
    `node_modules/${name}`,
    { version, ...(name === 'old-metrics' && { dependencies: { inner: '0.1.0' } }) },
  ]);
  const inner = ['node_modules/inner', { version: '0.1.0', deprecated: 'Not maintained' }];
  const packages = Object.fromEntries([['', manifest], ...installed, inner]) as object;
  const write = (file: string, content: object) =>
    writeFileSync(join(project.directory, file), JSON.stringify(content));
  write('package.json', manifest);
  write('package-lock.json', { name: 'some', version: '1.0.0', lockfileVersion: 3, packages });
}

test('a registry’s deprecation notice stops the release, of our own packages and of theirs', async () => {
  const found = await findDeprecations(project);
  expect(refusedNotices(found, {}, '2026-11-27')).toEqual([
    `old-metrics@1.0.0: deprecated: ${DEPRECATED}`,
    'inner@0.1.0: deprecated: Not maintained',
  ]);
});

test('a registry that does not know a package stops it too', async () => {
  writeProject({ unknown: '1.0.0' });
  await expect(findDeprecations(project)).rejects.toThrow('The registry says nothing about unknown@1.0.0');
  writeProject({ 'old-metrics': '1.0.0', sound: '1.0.0' });
});

test('a published hole stops it, and a registry that cannot be asked is not taken for a clean answer', async () => {
  answersAudits = true;
  expect(await findKnownHoles(project)).toEqual([
    { id: 'GHSA-aaaa-bbbb-cccc', text: `high in old-metrics: ${HOLE.title} (${HOLE.url})` },
  ]);
  answersAudits = false;
  expect(await findKnownHoles(project)).toBeNull();
});

test('a reason counts until its day, and one that nothing needs is refused', () => {
  const notices = [{ id: 'old@1.0.0', text: 'deprecated: gone' }];
  const accepted = { 'old@1.0.0': { reason: 'only tests use it', until: '2026-12-31' } };
  expect(refusedNotices(notices, accepted, '2026-12-31')).toEqual([]);
  expect(refusedNotices(notices, accepted, '2027-01-01')).toEqual([
    'old@1.0.0: accepted until 2026-12-31, deprecated: gone',
  ]);
  expect(refusedNotices([], accepted, '2026-12-31')).toEqual(['old@1.0.0: a reason that nothing needs']);
});

test('every accepted notice has a reason and a day', () => {
  for (const { reason, until } of Object.values(ACCEPTED_NOTICES)) {
    expect(reason.length).toBeGreaterThan(10);
    expect(until).toMatch(/^\d{4}-\d{2}-\d{2}$/);
  }
});
