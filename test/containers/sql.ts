import { until } from '../support/until.ts';
import type { Deployment } from './deployment.ts';

export type Database = 'clinic' | 'temporal' | 'temporal_visibility' | 'postgres';

/** What PostgreSQL answers its superuser, as psql prints it. @param part the container, where it is not the first one */
export async function ask(
  { compose }: Deployment,
  database: Database,
  statement: string,
  part = 'postgres',
): Promise<string> {
  const psql = ['psql', '--username=postgres', `--dbname=${database}`, '--tuples-only', '--no-align'];
  return compose('exec', '-T', part, ...psql, '--command', statement);
}

export async function bookings(deployment: Deployment, part?: string): Promise<number> {
  return Number(await ask(deployment, 'clinic', 'SELECT count(*) FROM appointment', part));
}

/** `confirmed`, `cancelled` and so on; nothing of an appointment that is not there. */
export async function statusOf(deployment: Deployment, appointment: string): Promise<string> {
  return ask(deployment, 'clinic', `SELECT status FROM appointment WHERE id = '${appointment}'`);
}

/** Temporal's own numbers of `created` and `running`. */
const OPEN = '(1, 2)';

/** Whether Temporal's own rows hold a timer of the appointment that has not ended. */
export async function hasTimer(deployment: Deployment, appointment: string): Promise<boolean> {
  const open = `workflow_id = 'appointment:${appointment}' AND state IN ${OPEN}`;
  const found = await ask(deployment, 'temporal', `SELECT count(*) FROM current_executions WHERE ${open}`);
  return found === '1';
}

export async function untilTimer(deployment: Deployment, appointment: string): Promise<void> {
  await until('the timer to run', () => hasTimer(deployment, appointment));
}
