import { parseArgs } from 'node:util';
import { ACCEPTED_NOTICES } from '../supply-chain/accepted-notices.ts';
import { findDeprecations, findKnownHoles, refusedNotices } from '../supply-chain/package-notices.ts';
import { packageRelease } from './package-release.ts';
import { prepareRelease } from './prepare-release.ts';
import { runProgram } from './program.ts';
import { rehearseRelease } from './rehearse-release.ts';

/**
 * `npm run release -- …`: docs/operations/release-a-version.md.
 *
 * - `1.2.0`: checks the packages and docs/openapi.json, writes the version, commits and tags.
 * - `--package DIRECTORY`: makes the files of the version that package.json names.
 * - `--dry-run [1.2.0]`: does all of this in a clone, and tests what it has made.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    'dry-run': { type: 'boolean', default: false },
    // In the clone of a dry run: the registry does not have to answer `npm audit`.
    rehearsal: { type: 'boolean', default: false },
    package: { type: 'string' },
  },
});
const [version] = positionals;
const today = new Date().toISOString().slice(0, 10);
const tell = (line: string): void => void process.stdout.write(`${line}\n`);

try {
  if (values['dry-run']) await rehearseRelease(version, tell);
  else if (values.package !== undefined) await packageRelease(values.package, tell);
  else if (version === undefined) throw new Error('Name a version, or use --dry-run or --package DIRECTORY');
  else {
    await checkPackages();
    await runProgram(process.execPath, ['dev/release/openapi-changes-main.ts']);
    await prepareRelease(version, today);
    tell(`Release ${version} is committed and tagged. To publish it: git push --follow-tags`);
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

/** @throws when a notice is not accepted, or the registry does not answer about known vulnerabilities */
async function checkPackages(): Promise<void> {
  const deprecations = await findDeprecations();
  const holes = await findKnownHoles();
  if (holes === null) {
    if (!values.rehearsal) throw new Error('The registry does not answer "npm audit"');
    tell('NOT CHECKED HERE: known vulnerabilities, because the registry does not answer "npm audit"');
  }
  const refused = refusedNotices([...deprecations, ...(holes ?? [])], ACCEPTED_NOTICES, today);
  if (refused.length > 0)
    throw new Error(
      `Replace these packages, or accept the notice in accepted-notices.ts:\n${refused.join('\n')}`,
    );
}
