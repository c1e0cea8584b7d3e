import { performance } from 'node:perf_hooks';
import { until } from '../support/until.ts';
import { requireThat, type Tell } from './checks.ts';
import { API, httpStatus, type ClinicInContainers } from './clinic-in-containers.ts';
import type { Deployment } from './deployment.ts';

const psql = ['exec', '-T', 'postgres', 'psql', '--username=postgres', '--tuples-only', '--no-align'];

async function ask({ compose }: Deployment, database: string, statement: string): Promise<string> {
  return compose(...psql, `--dbname=${database}`, '--command', statement);
}

async function bookings(deployment: Deployment): Promise<number> {
  return Number(await ask(deployment, 'clinic', 'SELECT count(*) FROM appointment'));
}

/** Two bookings, and back to the moment between them: the first is there, the second is not. */
export async function restoreToAMoment(
  deployment: Deployment,
  clinic: ClinicInContainers,
  tell: Tell,
): Promise<void> {
  await clinic.book();
  const before = await bookings(deployment);
  const moment = await ask(deployment, 'postgres', 'SELECT clock_timestamp()');
  await clinic.book();
  await archived(deployment);
  const begun = performance.now();
  await deployment.compose('stop', '--timeout', '30');
  await deployment.compose('run', '--rm', '--no-deps', 'restore', moment);
  await deployment.compose('up', '--detach', '--no-build', '--wait');
  const after = await bookings(deployment);
  requireThat(after === before, `${after} bookings where ${before} were`);
  tell(
    `restore to a moment: ${after} of ${before + 1} bookings, as it was; ${elapsed(begun)} s with stop and start`,
  );
  await putRight(deployment, tell);
}

/** What was written so far has arrived in the archive. */
async function archived(deployment: Deployment): Promise<void> {
  const [lsn = ''] = (await ask(deployment, 'postgres', 'SELECT pg_current_wal_flush_lsn()')).split('\n');
  const arrived = `SELECT restart_lsn >= '${lsn}' FROM pg_replication_slots WHERE slot_name = 'clinic_archive'`;
  await ask(deployment, 'postgres', 'SELECT pg_switch_wal()');
  await until(
    'the WAL to be in the archive',
    async () => (await ask(deployment, 'postgres', arrived)) === 't',
  );
}

/** Temporal has forgotten everything: what should run stands in the rows. */
export async function temporalIsGone(deployment: Deployment, tell: Tell): Promise<void> {
  const begun = performance.now();
  await deployment.compose('stop', 'temporal', 'temporal-ui');
  for (const name of ['temporal', 'temporal_visibility']) {
    await ask(deployment, 'postgres', `DROP DATABASE ${name} WITH (FORCE)`);
    await ask(deployment, 'postgres', `CREATE DATABASE ${name} OWNER temporal`);
  }
  await deployment.compose('up', '--detach', '--no-build', '--wait');
  await deployment.compose('restart', 'worker');
  tell(`Temporal's databases gone: up again after ${elapsed(begun)} s`);
  await putRight(deployment, tell);
}

/** The step of the guide after every restore. */
async function putRight(deployment: Deployment, tell: Tell): Promise<void> {
  await until('the API to be ready', async () => (await httpStatus(`${API}/health/ready`)) === 200);
  const repaired = await deployment.admin('reconcile', '--all');
  await until('doctor to find nothing', async () => {
    try {
      return (await deployment.admin('doctor'))['ok'] === true;
    } catch {
      return false;
    }
  });
  tell(`reconcile --all: ${JSON.stringify(repaired)}; doctor finds nothing`);
}

function elapsed(begun: number): string {
  return ((performance.now() - begun) / 1000).toFixed(1);
}
