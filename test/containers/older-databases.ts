import { performance } from 'node:perf_hooks';
import { until } from '../support/until.ts';
import type { Deployment } from './deployment.ts';
import { putRight } from './restores.ts';
import { ask, hasTimer, statusOf, untilTimer, type Database } from './sql.ts';
import { requireThat, since, start, type Trial } from './trial.ts';

/** docs/operations/restore-a-backup.md#when-one-database-is-older-than-the-other. */

/**
 * `clinic` goes back to a dump and Temporal does not: what was booked since is gone, and what was cancelled since is open again
 * though its timer has ended.
 */
export async function databaseIsOlder({ deployment, clinic, tell }: Trial): Promise<void> {
  const reopened = await clinic.bookSoon();
  await untilTimer(deployment, reopened);
  await dump(deployment, 'clinic');
  await clinic.cancel(reopened);
  const lost = await clinic.bookSoon();
  await untilTimer(deployment, lost);
  await until('the timer to end', async () => !(await hasTimer(deployment, reopened)));

  const begun = performance.now();
  await deployment.compose('stop', 'api', 'worker');
  await restoreDump(deployment, 'clinic');
  await start(deployment);
  requireThat((await statusOf(deployment, reopened)) === 'confirmed', 'what was cancelled is not open again');
  requireThat((await statusOf(deployment, lost)) === '', 'what was booked after the dump is there');
  tell(`clinic older than Temporal's databases: up again after ${since(begun)} s`);
  await putRight(deployment, tell);
  await untilTimer(deployment, reopened);
}

/** Temporal's databases go back to a dump and `clinic` does not: what was booked since has no timer. */
export async function temporalIsOlder({ deployment, clinic, tell }: Trial): Promise<void> {
  await untilTimer(deployment, await clinic.bookSoon());
  // In this order its list knows of no workflow that the other one has not.
  for (const database of ['temporal_visibility', 'temporal'] as const) await dump(deployment, database);
  const later = await clinic.bookSoon();
  await untilTimer(deployment, later);

  const begun = performance.now();
  await deployment.compose('stop', 'temporal', 'temporal-ui');
  for (const database of ['temporal_visibility', 'temporal'] as const) {
    await restoreDump(deployment, database);
  }
  requireThat(!(await hasTimer(deployment, later)), 'the dump knows what was booked after it');
  await start(deployment);
  await deployment.compose('restart', 'worker');
  tell(`Temporal's databases older than clinic: up again after ${since(begun)} s`);
  await putRight(deployment, tell);
  await untilTimer(deployment, later);
}

/** Temporal has forgotten everything: what should run stands in the rows. */
export async function temporalIsGone({ deployment, clinic, tell }: Trial): Promise<void> {
  const appointment = await clinic.bookSoon();
  await untilTimer(deployment, appointment);
  const begun = performance.now();
  await deployment.compose('stop', 'temporal', 'temporal-ui');
  for (const name of ['temporal', 'temporal_visibility']) {
    await ask(deployment, 'postgres', `DROP DATABASE ${name} WITH (FORCE)`);
    await ask(deployment, 'postgres', `CREATE DATABASE ${name} OWNER temporal`);
  }
  await start(deployment);
  await deployment.compose('restart', 'worker');
  tell(`Temporal's databases gone: up again after ${since(begun)} s`);
  await putRight(deployment, tell);
  await untilTimer(deployment, appointment);
}

/** In the memory of PostgreSQL's container, until that stops. */
const fileOf = (database: Database) => `/tmp/${database}.dump`;

async function dump({ compose }: Deployment, database: Database): Promise<void> {
  const pgDump = ['pg_dump', '--username=postgres', '--format=custom', `--file=${fileOf(database)}`];
  await compose('exec', '-T', 'postgres', ...pgDump, database);
}

/** While no one has a connection to it. */
async function restoreDump({ compose }: Deployment, database: Database): Promise<void> {
  const anew = ['--dbname=postgres', '--create', '--clean', '--if-exists', '--exit-on-error'];
  await compose('exec', '-T', 'postgres', 'pg_restore', '--username=postgres', ...anew, fileOf(database));
}
