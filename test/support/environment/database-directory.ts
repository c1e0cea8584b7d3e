import { mkdtemp, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
const ENOUGH_BYTES = 4 * 2 ** 30;

/**
 * A new directory for files of PostgreSQL: in memory where that has room enough. A database is some 550 files, so one for each suite
 * takes 10 ms there, and up to 400 ms of a processor on a disk.
 */
export async function databaseDirectory(name: string): Promise<string> {
  const free = await statfs(MEMORY).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  );
  return mkdtemp(join(free < ENOUGH_BYTES ? tmpdir() : MEMORY, `${name}-`));
}
