import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROJECT_ROOT } from '../processes/run-script.ts';
import { currentVersion, nextVersion } from './prepare-release.ts';
import { answers, runProgram } from './program.ts';
import { signFiles } from './sign-files.ts';

/** How many lines of a step's output are shown. */
const LINES = 4;
const RELEASE = 'dev/release/release-main.ts';
const INTO = join(PROJECT_ROOT, '.local/release');
const JEST = ['node_modules/jest/bin/jest.js', '--config', 'jest.long.config.js'];
/** Build, install and use what a release contains. */
const SUITES = [
  '**/test/clients/{typescript,python}-client?(.long).test.ts',
  '**/test/release/*.long.test.ts',
];

/**
 * Does everything of a release except the push, in a clone of the current commit, and tests it. The files stay in
 * `.local/release`.
 */
export async function rehearseRelease(
  version = nextVersion(currentVersion()),
  tell: (line: string) => void,
): Promise<void> {
  rmSync(INTO, { recursive: true, force: true });
  const clone = mkdtempSync(join(tmpdir(), 'release-'));
  const inClone = (...args: string[]) => runProgram(process.execPath, args, { directory: clone });
  const step = async (name: string, work: () => Promise<string>): Promise<void> => {
    const startedAt = performance.now();
    tell(`== ${name}`);
    tell((await work()).trim().split('\n').slice(-LINES).join('\n'));
    tell(`   ${Math.round((performance.now() - startedAt) / 1000)} s`);
  };
  try {
    await runProgram('git', ['clone', '--quiet', PROJECT_ROOT, clone]);
    await runProgram('git', ['config', 'user.name', 'Dry run'], { directory: clone });
    await runProgram('git', ['config', 'user.email', 'dry-run@localhost'], { directory: clone });
    symlinkSync(join(PROJECT_ROOT, 'node_modules'), join(clone, 'node_modules'));
    await step('packages, docs/openapi.json, version, changelog and tag', () =>
      inClone(RELEASE, version, '--rehearsal'),
    );
    await step('files of the release', () => inClone(RELEASE, '--package', INTO));
    await step('signatures', () => signFiles(INTO));
    await step('chart', () => inClone('dev/chart/check-chart-main.ts'));
    await step('image', () => buildImage(clone, version));
    await step('clients, installed into empty projects', () =>
      runProgram(process.execPath, [...JEST, '--testMatch', ...SUITES]),
    );
    tell(`Everything up to the push works. The files of ${version} are in ${INTO}`);
  } finally {
    rmSync(clone, { recursive: true, force: true });
  }
}

/** For both platforms, as the workflow builds it; where an engine with buildx is reached. */
async function buildImage(directory: string, version: string): Promise<string> {
  if (!(await answers('docker', ['buildx', 'inspect', '--bootstrap'])))
    return 'NOT BUILT HERE: no container engine with buildx answers. "npm run test:containers" builds and runs it.';
  const file = join(INTO, `clinic-appointments-${version}.oci.tar`);
  const how = ['--platform', 'linux/amd64,linux/arm64', '--sbom=true', '--provenance=mode=max'];
  const words = ['buildx', 'build', ...how, '--output', `type=oci,dest=${file}`, '.'];
  await runProgram('docker', words, { directory });
  return file;
}
