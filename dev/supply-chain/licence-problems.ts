import type { InstalledPackage } from './installed-packages.ts';
import { isLicenceAllowed, LICENCE_EXCEPTIONS } from './licences.ts';

/** What has to be decided before a release, a line each: unknown licences, and exceptions for what is not there any more. */
export function licenceProblems(
  packages: readonly InstalledPackage[],
  exceptions = LICENCE_EXCEPTIONS,
): string[] {
  const refused = packages.filter(({ license, isShipped }) => !isLicenceAllowed(license, isShipped));
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

function nameOf({ name, version }: InstalledPackage): string {
  return `${name}@${version}`;
}
