import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { evenly } from '../../bench/load/pace.ts';
import { until } from '../support/until.ts';
import { API, httpStatus, type ClinicInContainers } from './clinic-in-containers.ts';
import type { Deployment } from './deployment.ts';
import { isTold } from './prometheus.ts';
import { ask, bookings } from './sql.ts';
import { requireThat, type Trial } from './trial.ts';

const PER_SECOND = 20;
const REQUESTS = 600;
const MAX_SECONDS = 15;
/** What was answered so soon after the kill was under way before. */
const SETTLED_MS = 1000;

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
        exec postgres -c MAX_CONNECTIONS -c unix_socket_directories=/var/run/postgresql
`;

/** docs/operations/fail-over.md: the primary is killed under bookings, fenced by staying down, and the standby promoted. */
export async function failover({ deployment, clinic, tell }: Trial): Promise<void> {
  const withStandby = await addStandby(deployment);
  await until('the standby to be watched', () =>
    isTold('pg_stat_replication_pg_wal_lsn_diff{application_name="standby"}'),
  );
  const before = await bookings(withStandby);
  const load = bookAtPace(clinic);
  await until('bookings to be under way', () => load.bookedAt.length > 2 * PER_SECOND);
  const killedAt = performance.now();
  await withStandby.compose('kill', 'postgres');
  await promote(withStandby);
  await load.ended;

  const again = Math.min(...load.bookedAt.filter((time) => time > killedAt + SETTLED_MS));
  const gap = (again - killedAt) / 1000;
  tell(
    `failover: ${JSON.stringify(Object.fromEntries(load.answers))}, booked again after ${gap.toFixed(1)} s`,
  );
  requireThat(gap <= MAX_SECONDS, `no one could book for ${gap.toFixed(1)} s`);
  requireThat(
    [...load.answers.keys()].every((status) => status === 201 || status === 503),
    'an answer is neither 201 nor 503',
  );
  const lost = before + (load.answers.get(201) ?? 0) - (await bookings(withStandby, 'standby'));
  requireThat(lost <= 0, `${lost} bookings were answered and are not there`);
  tell('failover: every booking that was answered is there');
  await until('the API to be ready', async () => (await httpStatus(`${API}/health/ready`)) === 200);
}

/** Compose with a standby that the primary waits for. */
async function addStandby({ directory, compose, ...deployment }: Deployment): Promise<Deployment> {
  // A standby that takes fewer connections than its primary does not start.
  const [most = ''] =
    /max_connections=\d+/.exec(await readFile(join(directory, 'docker-compose.yml'), 'utf8')) ?? [];
  await writeFile(join(directory, 'standby.yml'), STANDBY.replace('MAX_CONNECTIONS', most));
  const withStandby = {
    directory,
    ...deployment,
    compose: (...words: string[]) =>
      compose('--file', 'docker-compose.yml', '--file', 'standby.yml', ...words),
  };
  await withStandby.compose('up', '--detach', '--no-build', '--no-recreate', 'standby');
  const streaming =
    "SELECT FROM pg_stat_replication WHERE application_name = 'standby' AND state = 'streaming'";
  await until('the standby to follow', async () => (await count(withStandby, streaming)) === 1);
  await ask(withStandby, 'postgres', "ALTER SYSTEM SET synchronous_standby_names = 'standby'");
  await ask(withStandby, 'postgres', 'SELECT pg_reload_conf()');
  const inSync = "SELECT FROM pg_stat_replication WHERE sync_state = 'sync'";
  await until('the standby to be waited for', async () => (await count(withStandby, inSync)) === 1);
  return withStandby;
}

async function count(deployment: Deployment, rows: string): Promise<number> {
  return Number(await ask(deployment, 'postgres', `SELECT count(*) FROM (${rows})`));
}

/** The steps of the guide. */
async function promote(withStandby: Deployment): Promise<void> {
  const steps = [
    'ALTER SYSTEM RESET synchronous_standby_names',
    'SELECT pg_reload_conf()',
    'SELECT pg_promote()',
  ];
  for (const step of steps) await ask(withStandby, 'postgres', step, 'standby');
}

interface Load {
  answers: Map<number | string, number>;
  /** When a booking was answered with 201. */
  bookedAt: number[];
  ended: Promise<void>;
}

function bookAtPace(clinic: ClinicInContainers): Load {
  const answers: Load['answers'] = new Map();
  const bookedAt: number[] = [];
  const ended = evenly(PER_SECOND, REQUESTS, async () => {
    const status = await clinic.book();
    answers.set(status, (answers.get(status) ?? 0) + 1);
    if (status === 201) bookedAt.push(performance.now());
  });
  return { answers, bookedAt, ended };
}
