import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { PROJECT_ROOT } from '../../dev/processes/run-script.ts';
import { installedPackages, licenceProblems } from '../../dev/supply-chain/licences.ts';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { newApiKey } from '../../domain/clinic/api-key.ts';

interface Component {
  name: string;
  version: string;
  purl: string;
  licenses?: { expression: string }[];
  hashes?: { alg: string; content: string }[];
}

let bill: { bomFormat: string; specVersion: string; components: Component[] };

beforeAll(() => {
  const printed = execFileSync(process.execPath, [join(PROJECT_ROOT, 'dev/supply-chain/sbom-main.ts')]);
  bill = JSON.parse(printed.toString()) as typeof bill;
});

test('a release’s bill of materials names every package that is shipped, by its exact version', () => {
  expect([bill.bomFormat, bill.specVersion]).toEqual(['CycloneDX', '1.6']);
  const { packages } = JSON.parse(readFileSync(join(PROJECT_ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { version: string; dev?: true }>;
  };
  const shipped = Object.entries(packages).filter(([path, { dev }]) => path !== '' && !dev);
  const names = shipped.map(([path, { version }]) => `${path.split('node_modules/').at(-1)}@${version}`);
  expect(new Set(bill.components.map(({ name, version }) => `${name}@${version}`))).toEqual(new Set(names));
  expect(bill.components.length).toBe(new Set(names).size);
});

test('each with its address, its licence and the hash of what is installed', () => {
  for (const { name, version, purl, licenses, hashes } of bill.components) {
    expect(purl).toBe(`pkg:npm/${name.replace('@', '%40')}@${version}`);
    expect([name, licenses?.[0]?.expression]).toEqual([name, expect.stringMatching(/^[\w. -]+$/)]);
    expect([name, hashes?.[0]]).toEqual([
      name,
      { alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) },
    ]);
  }
});

test('neither the tools of development nor a time are in it, so that the same sources give the same bill', () => {
  expect(bill.components.map(({ name }) => name)).not.toContain('jest');
  expect(JSON.stringify(bill)).not.toContain('timestamp');
});

const aPackage = { name: 'some', version: '1.0.0', license: 'MIT', integrity: null, isShipped: true };

test('the licence of everything that is installed is allowed, and each exception is needed', () => {
  expect(licenceProblems(installedPackages())).toEqual([]);
});

test.each([
  ['unknown', { license: 'SSPL-1.0' }, 'some@1.0.0: SSPL-1.0, shipped'],
  ['missing', { license: null }, 'some@1.0.0: no licence, shipped'],
  ['for development alone', { license: 'MPL-2.0' }, 'some@1.0.0: MPL-2.0, shipped'],
  ['one of several', { license: '(MIT OR GPL-3.0)' }, 'some@1.0.0: (MIT OR GPL-3.0), shipped'],
])('a licence that is %s is refused', (_, change, problem) => {
  expect(licenceProblems([{ ...aPackage, ...change }], {})).toEqual([problem]);
});

test('an exception is for one version, and one that nothing needs is refused', () => {
  const exceptions = { 'some@1.0.0': 'MIT: said in its README.md alone' };
  const unsaid = { ...aPackage, license: null };
  expect(licenceProblems([unsaid], exceptions)).toEqual([]);
  expect(licenceProblems([{ ...unsaid, version: '1.0.1' }], exceptions)).toEqual([
    'some@1.0.1: no licence, shipped',
    'some@1.0.0: an exception that nothing needs',
  ]);
});

/** As in `check` of package.json. */
function scan(text: string) {
  const program = join(PROJECT_ROOT, 'node_modules/.bin/secretlint');
  const { status, stdout } = spawnSync(program, ['--stdinFileName', 'some.ts'], {
    cwd: PROJECT_ROOT,
    input: text,
    encoding: 'utf8',
  });
  return { status, stdout };
}

// Made here: a scanner would find them in this file, and rightly.
const privateKey = () =>
  generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs1', format: 'pem' });
const password = () => randomBytes(12).toString('hex');

test.each([
  ['a clinic’s live key', () => newApiKey('live').key],
  ['a clinic’s test key', () => newApiKey('test').key],
  ['the signing secret of an endpoint', () => `whsec_${randomBytes(32).toString('base64')}`],
  ['a private key', () => String(privateKey())],
  [
    'the address of a database with its password',
    () => `postgresql://clinic:${password()}@db.test:5432/clinic`,
  ],
  ['a password in an address', () => `https://ana:${password()}@pms.example.com/`],
  [
    'a secret key of Amazon’s',
    () => `AWS_SECRET_ACCESS_KEY=${randomBytes(30).toString('base64').slice(0, -1)}k`,
  ],
])('%s in a file is refused, and not shown', (_, secret) => {
  const text = secret();
  const { status, stdout } = scan(`const it = '${text}';\n`);
  expect([status, stdout.includes('error')]).toEqual([1, true]);
  expect(stdout).not.toContain(text.slice(-16));
});

test('what is no secret is let through', () => {
  expect(scan("const it = 'svc_live_';\nconst other = 'whsec_…';\n").status).toBe(0);
});
