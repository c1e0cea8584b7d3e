import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { evenly } from '../../bench/load/pace.ts';
import { until } from '../support/until.ts';
import { requireThat, type Tell } from './checks.ts';
import { API, httpStatus, type ClinicInContainers } from './clinic-in-containers.ts';
import type { Deployment } from './deployment.ts';

const PER_SECOND = 20;
const REQUESTS = 600;
const LONGEST_SECONDS = 15;

/** A standby beside the deployment, made from it, that it waits for. */
const STANDBY = `
services:
  standby:
    image: \${POSTGRES_IMAGE}
    user: postgres
    networks: [database]
    environment:
      PGDATA: /var/lib/postgresql/standby
    tmpfs: ['/tmp', '/var/run/postgresql']
    entrypoint: ['sh', '-euc']
    command:
      - |
        PGPASSWORD="\${BACKUP_DB_PASSWORD}" pg_basebackup --host=postgres --username=backup --pgdata="$$PGDATA" --wal-method=stream --checkpoint=fast --write-recovery-conf
        echo "primary_conninfo = 'host=postgres user=backup password=\${BACKUP_DB_PASSWORD} application_name=standby'" >> "$$PGDATA/postgresql.auto.conf"
        exec postgres -c max_connections=320 -c unix_socket_directories=/var/run/postgresql
`;

/** The primary is killed under bookings, fenced by staying down, and the standby promoted. */
export async function failover(
  deployment: Deployment,
  clinic: ClinicInContainers,
  tell: Tell,
): Promise<void> {
  const withStandby = await addStandby(deployment);
  const psql = (part: string, statement: string) =>
    withStandby(
      'exec',
      '-T',
      part,
      'psql',
      '--username=postgres',
      '--tuples-only',
      '--no-align',
      '--command',
      statement,
    );
  await psql('postgres', "ALTER SYSTEM SET synchronous_standby_names = 'standby'");
  await psql('postgres', 'SELECT pg_reload_conf()');
  const inSync = "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'";
  await until('the standby to be waited for', async () => (await psql('postgres', inSync)) === '1');
  const stored = async (part: string) =>
    Number(
      await withStandby(
        'exec',
        '-T',
        part,
        'psql',
        '--username=postgres',
        '--dbname=clinic',
        '-Atc',
        'SELECT count(*) FROM appointment',
      ),
    );
  const before = await stored('postgres');
  const answers = new Map<number | string, number>();
  const at: number[] = [];
  const load = evenly(PER_SECOND, REQUESTS, async () => {
    const status = await clinic.book();
    answers.set(status, (answers.get(status) ?? 0) + 1);
    if (status === 201) at.push(performance.now());
  });
  await until('bookings to be under way', () => at.length > 2 * PER_SECOND);
  const killedAt = performance.now();
  await withStandby('kill', 'postgres');
  await psql('standby', 'SELECT pg_promote()');
  await load;
  const gap = (Math.min(...at.filter((time) => time > killedAt + 1000)) - killedAt) / 1000;
  tell(`failover: ${JSON.stringify(Object.fromEntries(answers))}, booked again after ${gap.toFixed(1)} s`);
  requireThat(gap <= LONGEST_SECONDS, `nobody could book for ${gap.toFixed(1)} s`);
  requireThat(
    [...answers.keys()].every((status) => status === 201 || status === 503),
    'an answer is neither 201 nor 503',
  );
  const lost = before + (answers.get(201) ?? 0) - (await stored('standby'));
  requireThat(lost <= 0, `${lost} bookings were answered and are not there`);
  tell('failover: every booking that was answered is there');
  await until('the API to be ready', async () => (await httpStatus(`${API}/health/ready`)) === 200);
}

async function addStandby({ directory, compose }: Deployment): Promise<Deployment['compose']> {
  await writeFile(join(directory, 'standby.yml'), STANDBY);
  const withStandby = (...words: string[]) =>
    compose('--file', 'docker-compose.yml', '--file', 'standby.yml', ...words);
  await withStandby('up', '--detach', '--no-build', '--no-recreate', 'standby');
  return withStandby;
}
