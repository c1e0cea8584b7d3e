import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROJECT_ROOT } from '../../dev/processes/run-script.ts';

/** What a worker is made of. */
const PARTS = [
  'activities',
  'sending',
  'adapters',
  'commands',
  'db',
  'domain',
  'worker',
  'workflows',
  'package.json',
  'package-lock.json',
];

/** One place of the sources that reads otherwise in the other version. */
export interface Difference {
  file: string;
  here: string;
  there: string;
}

/** A directory with sources of another version, from which a worker can be started. */
export interface OtherVersion extends AsyncDisposable {
  directory: string;
}

/** A copy of today's sources but for some places, with the same packages. */
export async function otherVersion(...differences: Difference[]): Promise<OtherVersion> {
  const directory = await mkdtemp(join(tmpdir(), 'clinic-version-'));
  for (const part of PARTS) await cp(join(PROJECT_ROOT, part), join(directory, part), { recursive: true });
  await linkPackages(directory);
  for (const { file, here, there } of differences) {
    const [before, after, ...more] = (await readFile(join(directory, file), 'utf8')).split(here);
    if (after === undefined || more.length > 0) throw new Error(`${file} has not exactly one: ${here}`);
    await writeFile(join(directory, file), `${before}${there}${after}`);
  }
  return { directory, [Symbol.asyncDispose]: () => rm(directory, { recursive: true }) };
}

/** One by one: what a worker keeps beside its packages is its own. */
async function linkPackages(directory: string): Promise<void> {
  const [from, to] = [join(PROJECT_ROOT, 'node_modules'), join(directory, 'node_modules')];
  await mkdir(to);
  const names = (await readdir(from)).filter((name) => name !== '.cache');
  await Promise.all(names.map((name) => symlink(join(from, name), join(to, name))));
}
