import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { PROJECT_ROOT } from '../../dev/processes/run-script.ts';

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
