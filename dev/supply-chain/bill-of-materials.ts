import type { InstalledPackage } from './installed-packages.ts';
import { LICENCE_EXCEPTIONS } from './licences.ts';

interface Release {
  name: string;
  version: string;
}

/** What is shipped, in CycloneDX 1.6 (https://cyclonedx.org): the same for the same lock file. */
export function billOfMaterials({ name, version }: Release, packages: readonly InstalledPackage[]) {
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: { type: 'application', name, version, 'bom-ref': `${name}@${version}` },
    },
    components: packages.filter(({ isShipped }) => isShipped).map(componentOf),
  };
}

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
