import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { copySources } from '../containers/deployment.ts';
import { startEngine } from '../containers/engine.ts';
import { BASE, makeNodeImage } from '../containers/images.ts';
import { versionOf } from '../containers/programs.ts';
import { run } from '../containers/shell.ts';
import { PAUSE } from './node-files.ts';

export const REPOSITORY = 'registry.example.com/clinic-appointments';
export const IMAGE = `${REPOSITORY}:${versionOf('clinic-appointments')}`;

/** Builds the project's image by its Dockerfile, on an engine that ends with that. @returns an archive, with what pods pause in */
export async function buildImages(directory: string, tell: (line: string) => void): Promise<string> {
  // Without a bridge it leaves the tables of addresses to the cluster.
  await using engine = await startEngine(['--bridge=none', '--iptables=false']);
  const host = { DOCKER_HOST: engine.host, DOCKER_BUILDKIT: '0' };
  Object.assign(process.env, host);
  await makeNodeImage(engine.directory, tell);
  const [sources, pause] = [join(directory, 'sources'), join(directory, 'pause')];
  for (const context of [sources, pause]) await mkdir(context);
  await copySources(sources);
  await writeFile(join(pause, 'Dockerfile'), `FROM ${BASE}\nCMD ["sleep", "infinity"]\n`);
  for (const [image, context] of [
    [IMAGE, sources],
    [PAUSE, pause],
  ] as const) {
    await run(['docker', 'build', '--quiet', '--network', 'none', '--tag', image, context]);
  }
  const archive = join(directory, 'images.tar');
  await run(['docker', 'save', '--output', archive, IMAGE, PAUSE]);
  return archive;
}
