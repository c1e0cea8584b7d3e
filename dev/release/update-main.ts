import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROJECT_ROOT } from '../processes/run-script.ts';
import { lastReleaseTag } from './last-release.ts';
import { runProgram } from './program.ts';

/**
 * `npm run test:update [-- REVISION]`: updates a service under load from the last release or another revision, which is
 * checked out beside this one, to the current sources and back.
 */
const INSTALL = ['ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund'];
const TEST = ['node_modules/jest/bin/jest.js', '--config', 'jest.long.config.js', 'test/rollout/update'];

const revision = process.argv[2] ?? (await lastReleaseTag()) ?? (await beforeLastMigration());
const commit = (await runProgram('git', ['rev-parse', '--verify', `${revision}^{commit}`])).trim();
const directory = mkdtempSync(join(tmpdir(), 'update-from-'));
try {
  process.stdout.write(`Updating from ${revision}; its packages are being installed\n`);
  await runProgram('git', ['clone', '--quiet', '--no-checkout', PROJECT_ROOT, directory]);
  await runProgram('git', ['checkout', '--quiet', '--detach', commit], { directory });
  await runProgram('npm', INSTALL, { directory });
  const env = { ...process.env, ROLLOUT_FROM: directory };
  const jest = spawn(process.execPath, TEST, { cwd: PROJECT_ROOT, env, stdio: 'inherit' });
  await once(jest, 'exit');
  process.exitCode = jest.exitCode ?? 1;
} finally {
  rmSync(directory, { recursive: true, force: true });
}

/** Before the first release: the commit before the newest migration. */
async function beforeLastMigration(): Promise<string> {
  const args = ['log', '-1', '--diff-filter=A', '--format=%h', '--', 'db/migrations'];
  return `${(await runProgram('git', args)).trim()}^`;
}
