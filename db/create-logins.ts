import { escapeIdentifier, escapeLiteral, type Client } from 'pg';
import { withClient, DatabaseHosts } from './connection/hosts.ts';
import { ADMISSION_ROLE, CLINIC_ROLE, GUEST_ROLE, SERVICE_ROLE } from './migrations/clinic-walls.ts';

const WALLS = [CLINIC_ROLE, SERVICE_ROLE, ADMISSION_ROLE, GUEST_ROLE];

/** A database login, as in a connection URL. */
export interface Login {
  name: string;
  password: string;
}

/** The logins of the processes and of the public pages. A process without its own login uses another one. */
export type ProcessLogins = Partial<Record<'api' | 'worker' | 'dashboard' | 'public', Login>>;

/**
 * Creates the roles for row-level security and a login with minimal rights for each process. Needs a superuser, or a
 * role that may create and grant these. Safe to repeat. docs/operations/database-roles.md
 * @param applicationRole the role that sees every clinic; worker and dashboard become members
 */
export async function createLogins(
  superuserUrl: string,
  logins: ProcessLogins,
  applicationRole: string,
): Promise<void> {
  const config = { application_name: 'logins' };
  await withClient(new DatabaseHosts(superuserUrl), config, async (client) => {
    await client.query('BEGIN');
    for (const role of [...WALLS, applicationRole]) await createRole(client, role);
    await handToOwner(client);
    for (const [process, login] of Object.entries(logins))
      await createLogin(client, login, membershipsOf(process, applicationRole));
    await client.query('COMMIT');
  });
}

function membershipsOf(process: string, applicationRole: string): string[] {
  if (process === 'public') return [GUEST_ROLE];
  // `pg_read_all_stats` shows the running transactions of other logins, which `syncedUntil` needs.
  if (process === 'api') return [CLINIC_ROLE, ADMISSION_ROLE, 'pg_read_all_stats'];
  return [applicationRole];
}

async function createRole(client: Client, role: string): Promise<void> {
  const { rowCount } = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [role]);
  if (rowCount === 0) await client.query(`CREATE ROLE ${escapeIdentifier(role)}`);
}

async function handToOwner(client: Client): Promise<void> {
  const { rows } = await client.query<{ owner: string; isSelf: boolean }>(
    `SELECT pg_get_userbyid(datdba) AS owner, pg_get_userbyid(datdba) = current_user AS "isSelf"
     FROM pg_database WHERE datname = current_database()`,
  );
  for (const { owner, isSelf } of rows)
    if (!isSelf) await client.query(`GRANT ${WALLS.join()} TO ${escapeIdentifier(owner)} WITH ADMIN OPTION`);
}

async function createLogin(client: Client, { name, password }: Login, memberOf: string[]): Promise<void> {
  await createRole(client, name);
  const role = escapeIdentifier(name);
  await client.query(`ALTER ROLE ${role} LOGIN PASSWORD ${escapeLiteral(password)}`);
  for (const each of memberOf)
    if (each !== name) await client.query(`GRANT ${escapeIdentifier(each)} TO ${role}`);
  const { rows } = await client.query<{ name: string }>('SELECT current_database() AS name');
  await client.query(`GRANT CONNECT ON DATABASE ${escapeIdentifier(rows[0]?.name ?? '')} TO ${role}`);
}
