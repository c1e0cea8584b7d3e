import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { devNull, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { PROJECT_ROOT } from '../../dev/processes/run-script.ts';

/** Makes this process say that it is an older Node; npm compares nothing else with what packages ask for. */
const OLDER_NODE = `Object.defineProperty(process, 'version', { value: 'v20.19.0' });`;

test('installing with Node 20 prints no warnings, since the scripts run on the Node that is installed', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'installation-'));
  const olderNode = join(directory, 'older-node.cjs');
  try {
    await writeFile(olderNode, OLDER_NODE);
    for (const name of ['package.json', 'package-lock.json', '.npmrc'])
      await copyFile(join(PROJECT_ROOT, name), join(directory, name));
    const { stdout, stderr } = await promisify(execFile)('npm', ['ci', '--dry-run', '--offline'], {
      cwd: directory,
      env: {
        PATH: process.env['PATH'],
        HOME: directory,
        NODE_OPTIONS: `--require=${olderNode}`,
        npm_config_userconfig: devNull,
      },
    });
    expect(stderr).toBe('');
    expect(stdout).toMatch(/added \d+ packages/);
  } finally {
    await rm(directory, { recursive: true });
  }
});
