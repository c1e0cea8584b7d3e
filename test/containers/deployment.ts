import { randomBytes } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROJECT_ROOT } from '../../dev/processes/run-script.ts';
import { createTestAuthority, type TestAuthority } from '../support/servers/certificates.ts';
import { KEPT, versionOf } from './programs.ts';
import { run } from './shell.ts';

const secret = () => randomBytes(24).toString('hex');
const key = () => randomBytes(32).toString('base64');

/** The sources as someone has them who runs the service, and compose at work on them. */
export interface Deployment extends AsyncDisposable {
  directory: string;
  authority: TestAuthority;
  compose(...words: string[]): Promise<string>;
  /** The operator's command line. */
  admin(...words: string[]): Promise<Record<string, unknown>>;
  /** A program of the deployment's, such as docker/roll.sh. */
  script(...words: string[]): Promise<string>;
}

/** Copies the sources, fills in .env, and builds the image that every process runs. */
export async function deploy(host: string): Promise<Deployment> {
  const directory = await mkdtemp(join(tmpdir(), 'clinic-deployment-'));
  const authority = await createTestAuthority();
  await copySources(directory);
  await writeFile(join(directory, '.env'), environmentFile());
  await writeFile(join(directory, 'docker/certificates/receivers.pem'), authority.caPem, { mode: 0o644 });
  const [postgres = ''] =
    /(?<=image: )postgres:\S+/.exec(await readFile(join(directory, 'docker-compose.yml'), 'utf8')) ?? [];
  const env = {
    POSTGRES_IMAGE: postgres,
    DOCKER_HOST: host,
    DOCKER_BUILDKIT: '0',
    DOCKER_CONFIG: await pluginsIn(directory),
  };
  const inIt = { directory, env };
  await run(
    [
      'docker',
      'build',
      '--quiet',
      '--network',
      'none',
      '--tag',
      `clinic-appointments:${versionOf('clinic-appointments')}`,
      '.',
    ],
    inIt,
  );
  const compose = (...words: string[]) => run(['docker', 'compose', ...words], inIt);
  return {
    directory,
    authority,
    compose,
    async admin(...words) {
      const printed = await compose('run', '--rm', '-T', 'admin', ...words);
      return JSON.parse(printed) as Record<string, unknown>;
    },
    script: (...words) => run(words, inIt),
    async [Symbol.asyncDispose]() {
      await compose('down', '--volumes', '--timeout', '5', '--remove-orphans');
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** What someone checks out who builds the image. An image that is made here has no digest, and the proxy of Debian is too old for one setting. */
export async function copySources(directory: string): Promise<void> {
  const without = ['node_modules', '.git', '.local', '.env'].map((name) => `--exclude=./${name}`).join(' ');
  await run(['sh', '-c', `tar -C "${PROJECT_ROOT}" ${without} -cf - . | tar -C "${directory}" -xf -`]);
  // The containers' own accounts pass through here.
  await chmod(directory, 0o755);
  await rewrite(join(directory, 'docker-compose.yml'), (text) =>
    text.replaceAll(/@sha256:[0-9a-f]{64}/g, ''),
  );
  await rewrite(join(directory, 'Dockerfile'), (text) => text.replaceAll(/@sha256:[0-9a-f]{64}/g, ''));
  await rewrite(join(directory, 'docker/proxy/Caddyfile'), (text) =>
    text.replace(/^\tservers \{[^}]*\}\n/m, ''),
  );
}

async function rewrite(file: string, change: (text: string) => string): Promise<void> {
  await writeFile(file, change(await readFile(file, 'utf8')));
}

async function pluginsIn(directory: string): Promise<string> {
  const plugins = join(directory, '.docker', 'cli-plugins');
  await mkdir(plugins, { recursive: true });
  await symlink(join(KEPT, 'bin', 'docker-compose'), join(plugins, 'docker-compose'));
  return join(directory, '.docker');
}

function environmentFile(): string {
  const made = [
    'POSTGRES_PASSWORD',
    'CLINIC_DB_PASSWORD',
    'CLINIC_APP_DB_PASSWORD',
    'CLINIC_API_DB_PASSWORD',
    'CLINIC_WORKER_DB_PASSWORD',
    'CLINIC_DASHBOARD_DB_PASSWORD',
    'CLINIC_PUBLIC_DB_PASSWORD',
    'TEMPORAL_DB_PASSWORD',
    'MONITORING_DB_PASSWORD',
    'BACKUP_DB_PASSWORD',
    'STORAGE_SECRET_KEY',
    'STORAGE_ROOT_SECRET_KEY',
    'GRAFANA_PASSWORD',
  ];
  const passwords = Object.fromEntries(made.map((name) => [name, secret()]));
  // The second server comes with the failover.
  const databaseOf = (part: string) =>
    `postgresql://clinic_${part}:${passwords[`CLINIC_${part.toUpperCase()}_DB_PASSWORD`]}@postgres,standby/clinic?target_session_attrs=read-write`;
  const values: Record<string, string> = {
    COMPOSE_PROJECT_NAME: 'clinic',
    COMPOSE_PROFILES: 'backup',
    SERVICE_MODE: 'test',
    ...passwords,
    DATABASE_URL: databaseOf('app'),
    API_DATABASE_URL: databaseOf('api'),
    WORKER_DATABASE_URL: databaseOf('worker'),
    DASHBOARD_DATABASE_URL: databaseOf('dashboard'),
    PUBLIC_DATABASE_URL: databaseOf('public'),
    PHONE_HASH_KEY: key(),
    ENCRYPTION_KEY: key(),
    WEBHOOK_CA_FILE: '/certificates/receivers.pem',
    // Of the bridges that the engine makes.
    WEBHOOK_ALLOWED_CIDRS: '172.16.0.0/12,192.168.0.0/16',
    RATE_LIMITS_DISABLED: 'true',
  };
  return Object.entries(values)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}
