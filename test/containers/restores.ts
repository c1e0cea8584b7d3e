import { performance } from 'node:perf_hooks';
import { until } from '../support/until.ts';
import { API, httpStatus } from './clinic-in-containers.ts';
import type { Deployment } from './deployment.ts';
import { ask, bookings } from './sql.ts';
import { requireThat, since, start, type Tell, type Trial } from './trial.ts';

/** Two bookings, and back to the moment between them: the first is there, the second is not. */
export async function restoreToAMoment({ deployment, clinic, tell }: Trial): Promise<void> {
  await clinic.book();
  const before = await bookings(deployment);
  const moment = await ask(deployment, 'postgres', 'SELECT clock_timestamp()');
  await clinic.book();
  await archived(deployment);
  const begun = performance.now();
  await deployment.compose('stop', '--timeout', '30');
  await deployment.compose('run', '--rm', '--no-deps', 'restore', moment);
  await start(deployment);
  const after = await bookings(deployment);
  requireThat(after === before, `${after} bookings where ${before} were`);
  tell(
    `restore to a moment: ${after} of ${before + 1} bookings, as it was; ${since(begun)} s with stop and start`,
  );
  requireThat((await leftOfRestore(deployment)) === '', 'what was for the restore alone is still set');
  await putRight(deployment, tell);
}

/** What has arrived in the archive includes what was written so far. */
async function archived(deployment: Deployment): Promise<void> {
  const [lsn = ''] = (await ask(deployment, 'postgres', 'SELECT pg_current_wal_flush_lsn()')).split('\n');
  const arrived = `SELECT restart_lsn >= '${lsn}' FROM pg_replication_slots WHERE slot_name = 'clinic_archive'`;
  await ask(deployment, 'postgres', 'SELECT pg_switch_wal()');
  await until(
    'the WAL to be in the archive',
    async () => (await ask(deployment, 'postgres', arrived)) === 't',
  );
}

/** Settings by which a standby that is copied from this server would stop at the moment, too. */
async function leftOfRestore(deployment: Deployment): Promise<string> {
  const settings = "SELECT name FROM pg_file_settings WHERE name ~ '^(restore_command|recovery_)'";
  return ask(deployment, 'postgres', settings);
}

/** The step of the guide after every restore. Afterwards nothing is left to put right. @returns how much that was, by part */
export async function putRight(deployment: Deployment, tell: Tell): Promise<Record<string, unknown>> {
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
  await until('reconcile to find nothing more', async () =>
    Object.values(await deployment.admin('reconcile', '--all')).every((count) => count === 0),
  );
  return repaired;
}
