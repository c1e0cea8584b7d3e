import type { Client } from 'pg';
import type { ServiceMode } from '../domain/service-mode.ts';
import { answerOf, withClient, DatabaseHosts } from './connection/hosts.ts';

const CONNECT_TIMEOUT_MS = 3000;

/** The process and the database have different modes. */
export class OtherModeError extends Error {
  override readonly name = 'OtherModeError';

  constructor(stored: ServiceMode, mode: ServiceMode) {
    super(
      `This database belongs to a ${stored} service, but SERVICE_MODE is ${mode}. ` +
        `Set SERVICE_MODE=${stored}, or set DATABASE_URL to the database of another service.`,
    );
  }
}

/** @throws OtherModeError */
export function refuseOtherMode(stored: ServiceMode | null, mode: ServiceMode): void {
  if (stored !== null && stored !== mode) throw new OtherModeError(stored, mode);
}

/** Returns the database's mode and sets it to the given one if it has none: docs/operations/database-mode.md */
export function claimMode(databaseUrl: string, mode: ServiceMode): Promise<ServiceMode> {
  return onDatabase(databaseUrl, async (client) => {
    await client.query('INSERT INTO deployment (mode) VALUES ($1) ON CONFLICT DO NOTHING', [mode]);
    return (await storedMode(client)) ?? mode;
  });
}

/** Null when the mode is not set, or the schema does not exist. */
export function readMode(databaseUrl: string): Promise<ServiceMode | null> {
  return onDatabase(databaseUrl, async (client) =>
    (await hasTable(client, 'deployment')) ? storedMode(client) : null,
  );
}

/** Whether the database already contains clinics. */
export function hasClinics(databaseUrl: string): Promise<boolean> {
  return onDatabase(databaseUrl, async (client) => {
    if (!(await hasTable(client, 'tenant'))) return false;
    return (await answerOf<boolean>(client, 'SELECT EXISTS (SELECT FROM tenant)')) === true;
  });
}

function storedMode(client: Client): Promise<ServiceMode | null> {
  return answerOf(client, 'SELECT mode FROM deployment');
}

function hasTable(client: Client, name: string): Promise<boolean | null> {
  return answerOf(client, 'SELECT to_regclass($1) IS NOT NULL', name);
}

function onDatabase<T>(databaseUrl: string, work: (client: Client) => Promise<T>): Promise<T> {
  const limits = { connectionTimeoutMillis: CONNECT_TIMEOUT_MS, query_timeout: CONNECT_TIMEOUT_MS };
  return withClient(new DatabaseHosts(databaseUrl), { ...limits, application_name: 'mode' }, work);
}
