import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { mkdtemp, rm, stat, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { PROJECT_ROOT } from '../../dev/processes/run-script.ts';
import { callersEnvironment } from '../support/environment/callers-environment.ts';
import { until } from '../support/until.ts';

/** Of 512 or 1024 bytes: beyond them the file takes no more, as on a disk that is full. */
const MAX_BLOCKS = 8;

test('a log that could be written nowhere for longer than it waits goes on once there is room', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'clinic-log-'));
  const path = join(directory, 'log');
  const command = `ulimit -f ${MAX_BLOCKS} && exec "${process.execPath}" test/support/log-lines-main.ts`;
  const child = spawn('/bin/sh', ['-c', command], {
    cwd: PROJECT_ROOT,
    env: callersEnvironment(),
    stdio: ['ignore', openSync(path, 'a'), 'inherit', 'ipc'],
  });
  const say = async (lines: number) => {
    child.send(lines);
    await once(child, 'message');
  };
  const written = async () => (await stat(path)).size;

  await say(3000);
  await until('a full disk', async () => (await written()) >= MAX_BLOCKS * 512);
  const full = await written();
  await say(100);
  expect(await written()).toBe(full);
  await truncate(path, 0);
  await until('lines again', async () => {
    await say(1);
    return (await written()) > 0;
  });

  child.disconnect();
  await once(child, 'exit');
  await rm(directory, { recursive: true });
});
