import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { startOwnPostgres } from '../support/environment/test-postgres.ts';

test('after a reboot PostgreSQL starts although its lock file names a process of something else', async () => {
  const postgres = await startOwnPostgres();
  const files = join(postgres.directory, 'postgres');
  const lock = join(files, 'postmaster.pid');
  const [, ...rest] = (await readFile(lock, 'utf8')).split('\n');
  await postgres.stop('immediate');
  // PostgreSQL asks about processes of its own account only.
  const { uid, gid } = await stat(files);
  const other = spawn('sleep', ['600'], { uid, gid, stdio: 'ignore' });
  await once(other, 'spawn');
  await writeFile(lock, [other.pid, ...rest].join('\n'));
  await postgres.start();
  expect(await readFile(lock, 'utf8')).not.toMatch(RegExp(`^${other.pid}\\n`));
  other.kill();
  await postgres.close();
});
