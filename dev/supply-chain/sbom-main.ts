import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { PROJECT_ROOT } from '../processes/run-script.ts';
import { installedPackages, type InstalledPackage, LICENCE_EXCEPTIONS } from './licences.ts';

const release = z.object({ name: z.string(), version: z.string() });

/**
 * `npm run --silent sbom`: the shipped packages in CycloneDX 1.6 (https://cyclonedx.org), deterministic for a lock
 * file.
 */
const manifest: unknown = JSON.parse(readFileSync(join(PROJECT_ROOT, 'package.json'), 'utf8'));
const { name, version } = release.parse(manifest);
const bill = {
  $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  version: 1,
  metadata: {
    component: { type: 'application', name, version, 'bom-ref': `${name}@${version}` },
  },
  components: installedPackages()
    .filter(({ isShipped }) => isShipped)
    .map(componentOf),
};
process.stdout.write(`${JSON.stringify(bill, null, 2)}\n`);

function componentOf({ name, version, license, integrity }: InstalledPackage) {
  const purl = `pkg:npm/${name.replace(/^@/, '%40')}@${version}`;
  const said = license ?? LICENCE_EXCEPTIONS[`${name}@${version}`]?.split(':')[0];
  return {
    type: 'library',
    'bom-ref': purl,
    name,
    version,
    purl,
    ...(said !== undefined && { licenses: [{ expression: said }] }),
    ...(integrity !== null && { hashes: [hashOf(integrity)] }),
  };
}

function hashOf(integrity: string) {
  const [algorithm = '', digest = ''] = integrity.split('-');
  return {
    alg: algorithm.toUpperCase().replace('SHA', 'SHA-'),
    content: Buffer.from(digest, 'base64').toString('hex'),
  };
}
