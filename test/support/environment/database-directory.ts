import { mkdtemp, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
const ENOUGH_BYTES = 4 * 2 ** 30;

/**
 * A new directory for PostgreSQL's files, in memory if there is room: a database has about 550 files, and creating one
 * takes 10 ms there and up to 400 ms on a disk.
 */
export async function databaseDirectory(name: string): Promise<string> {
  const free = await statfs(MEMORY).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  );
  return mkdtemp(join(free < ENOUGH_BYTES ? tmpdir() : MEMORY, `${name}-`));
}
