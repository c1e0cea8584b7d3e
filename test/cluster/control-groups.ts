import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { succeeds } from '../containers/shell.ts';
import { CONTROL_GROUP } from './node-files.ts';

/** The kubelet wants its group to be there before it. */
export async function makeControlGroups(): Promise<void> {
  for (const hierarchy of await hierarchies())
    await mkdir(join(hierarchy, CONTROL_GROUP), { recursive: true });
}

/** Fails while a process is left in one of them. @returns whether all are gone */
export async function removeControlGroups(): Promise<boolean> {
  const groups = (await hierarchies()).map((hierarchy) => join(hierarchy, CONTROL_GROUP));
  const left = groups.filter((group) => existsSync(group));
  return (
    left.length === 0 || succeeds(['find', ...left, '-depth', '-type', 'd', '-exec', 'rmdir', '{}', '+'])
  );
}

/** One for each controller in the first version of control groups, and one in the second. */
async function hierarchies(): Promise<string[]> {
  const mounts = (await readFile('/proc/self/mounts', 'utf8')).split('\n').map((line) => line.split(' '));
  return mounts.flatMap(([, place = '', type = '']) => (type.startsWith('cgroup') ? [place] : []));
}
