import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { PROJECT_ROOT } from '../processes/run-script.ts';

/** Licences for shipped packages: free use, change and sale, if the text is included. */
const PERMISSIVE = [
  '0BSD',
  'Apache-2.0',
  'Apache-2.0 AND MIT',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'MIT-0',
  'Unlicense',
];

/** For tools that build and test the service and are not shipped. */
const FOR_DEVELOPMENT = [
  ...PERMISSIVE,
  '(MIT OR CC0-1.0)',
  'Artistic-2.0',
  'CC-BY-3.0',
  'CC0-1.0',
  'MPL-2.0',
  'Python-2.0',
  'WTFPL',
];

/** Packages with another licence, or without one in npm's metadata, and why they are used. */
export const LICENCE_EXCEPTIONS: Readonly<Record<string, string>> = {
  'busboy@1.6.0': 'MIT: said in the form of before SPDX, which the lock file leaves out',
  'caniuse-lite@1.0.30001826':
    'CC-BY-4.0: data about browsers beside the bundler of the workflows, unchanged and with its notice',
  'format@0.2.2': 'MIT: said in the form of before SPDX, which the lock file leaves out',
  'humanize-number@0.0.2': 'MIT: said in its read-me alone',
  'streamsearch@1.1.0': 'MIT: said in the form of before SPDX, which the lock file leaves out',
  'unionfs@4.6.0': 'Unlicense: said in its LICENSE and README.md alone',
};

/** Problems before a release, one per line: unknown licences, and exceptions for packages that are gone. */
export function licenceProblems(packages: readonly InstalledPackage[], exceptions = LICENCE_EXCEPTIONS) {
  const refused = packages.filter((one) => !isAllowed(one));
  const names = new Set(refused.map(nameOf));
  const unknown = refused.filter((one) => !(nameOf(one) in exceptions));
  const idle = Object.keys(exceptions).filter((name) => !names.has(name));
  return [
    ...unknown.map(
      (one) => `${nameOf(one)}: ${one.license ?? 'no licence'}${one.isShipped ? ', shipped' : ''}`,
    ),
    ...idle.map((name) => `${name}: an exception that nothing needs`),
  ];
}

function isAllowed({ license, isShipped }: InstalledPackage): boolean {
  return license !== null && (isShipped ? PERMISSIVE : FOR_DEVELOPMENT).includes(license);
}

function nameOf({ name, version }: InstalledPackage): string {
  return `${name}@${version}`;
}

const lockedPackage = z.object({
  version: z.string(),
  license: z.string().optional(),
  integrity: z.string().optional(),
  dev: z.boolean().default(false),
});
const lockFile = z.object({ packages: z.record(z.string(), lockedPackage) });

export interface InstalledPackage {
  name: string;
  version: string;
  /** The SPDX expression of the package; null without one. */
  license: string | null;
  /** `sha512-…` in base64. */
  integrity: string | null;
  /** Whether it runs in production, or only for building and testing. */
  isShipped: boolean;
}

/** Every package of package-lock.json once, including those of other platforms. */
export function installedPackages(): InstalledPackage[] {
  const { packages } = lockFile.parse(
    JSON.parse(readFileSync(join(PROJECT_ROOT, 'package-lock.json'), 'utf8')),
  );
  const found = new Map<string, InstalledPackage>();
  for (const [path, locked] of Object.entries(packages)) {
    if (path === '') continue;
    const { version, license = null, integrity = null, dev } = locked;
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const isShipped = !dev || found.get(`${name}@${version}`)?.isShipped === true;
    found.set(`${name}@${version}`, { name, version, license, integrity, isShipped });
  }
  return [...found.values()];
}
