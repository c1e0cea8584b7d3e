import { expect, test } from '@jest/globals';
import { installedPackages, licenceProblems } from '../../dev/supply-chain/licences.ts';

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
