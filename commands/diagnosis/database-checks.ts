import type { Temporal } from '../../adapters/temporal/connect-temporal.ts';
import type { Database } from '../../db/connection/open-database.ts';
import { pendingMigrations } from '../../db/migrate.ts';
import { findOutboxBacklog, type OutboxBacklog } from '../../db/outbox/outbox-backlog.ts';
import { hostsOf } from '../../domain/database-address.ts';
import { OVERDUE_AFTER_SECONDS } from '../../domain/diagnosis/overdue.ts';
import { DegradedError, check, checkEach, unexamined, type Check } from './check.ts';
import { examineDeliveries, examineEndpoints, examineNoShows } from './overdue-checks.ts';
import { findOwnSession, findWalls } from '../../db/diagnosis/find-walls.ts';
import { countClinicKeys } from '../../db/clinic/clinic-keys.ts';
import { isHashBeingExchanged } from '../../db/patients/hash-exchanges.ts';

export interface DatabaseToExamine {
  database: Database;
  databaseUrl: string;
  /** Ids of the keys in ENCRYPTION_KEY; null when unknown here. */
  keyIds: readonly string[] | null;
  /** Used to find out why something is overdue. Null: only the rows are used. */
  temporal: Temporal | null;
}

export async function databaseChecks(examined: DatabaseToExamine): Promise<Check[]> {
  const { database, databaseUrl } = examined;
  const reachable = await check('database', async () => {
    await database.ping();
    return `responds at ${hostsOf(databaseUrl)}`;
  });
  const migrations = reachable.ok
    ? await check('migrations', () => examineMigrations(databaseUrl))
    : unexamined('migrations', 'the database does not respond');
  return [reachable, migrations, ...(await rowChecks(examined, migrations))];
}

async function examineMigrations(databaseUrl: string): Promise<string> {
  const pending = await pendingMigrations(databaseUrl);
  if (pending.length > 0)
    throw new DegradedError(`run "npm run migrate"; missing migrations: ${pending.join(', ')}`);
  return 'up to date';
}

function rowChecks(examined: DatabaseToExamine, migrations: Check): Promise<Check[]> {
  const { database, temporal, keyIds } = examined;
  let asked: Promise<OutboxBacklog> | undefined;
  const backlog = () => (asked ??= findOutboxBacklog(database.em()));
  const examinations = {
    walls: () => examineWalls(database),
    'outbox age': async () => describeAge(await backlog()),
    'outbox errors': async () => describeErrors(await backlog()),
    timers: async () => describeTimers(await backlog()),
    deliveries: () => examineDeliveries(database, temporal),
    'encryption keys': () => examineEncryptionKeys(database, keyIds),
    endpoints: () => examineEndpoints(database, temporal),
    'no-shows': () => examineNoShows(database, temporal),
  };
  return checkEach(examinations, migrations.ok ? null : 'it is not known whether the schema is up to date');
}

function describeAge({ pending, oldestAgeSeconds }: OutboxBacklog): string {
  const detail = `${pending} waiting, the oldest for ${Math.round(oldestAgeSeconds)} s`;
  if (oldestAgeSeconds > OVERDUE_AFTER_SECONDS) throw new DegradedError(`${detail}; is a worker running?`);
  return detail;
}

/** A backlog is processed at the start rate; if that takes an hour, more workers or a higher rate are needed. */
const TIMERS_LATE_AFTER_SECONDS = 3600;

function describeTimers({ timers, oldestTimerAgeSeconds }: OutboxBacklog): string {
  if (timers === 0) return 'no timers wait to be started';
  const detail = `${timers} timers wait to be started, the oldest for ${Math.round(oldestTimerAgeSeconds)} s`;
  if (oldestTimerAgeSeconds <= TIMERS_LATE_AFTER_SECONDS) return detail;
  throw new DegradedError(`${detail}; run more workers or raise TEMPORAL_STARTS_PER_SECOND`);
}

function describeErrors({ failing, lastError }: OutboxBacklog): string {
  if (failing > 0) throw new DegradedError(`${failing} tasks are failing; error of the oldest: ${lastError}`);
  return 'none';
}

/** Whether a request sees only its own clinic: docs/operations/database-roles.md */
export async function examineWalls(database: Database): Promise<string> {
  const { role, seesAll } = await database.ofClinics([]).read((em) => findOwnSession(em));
  if (seesAll)
    throw new DegradedError(`requests use the role ${role}, which can read the data of every clinic`);
  const { tables, bare } = await findWalls(database.em());
  if (bare.length > 0)
    throw new DegradedError(`these tables have no policy that separates clinics: ${bare.join(', ')}`);
  return `requests use the role ${role}; ${tables} tables have a policy that separates clinics`;
}

const EXCHANGES = {
  phone_hash:
    'phone numbers are hashed with two keys; recall waits until `secrets rehash-phones` has finished',
  name_hash: 'names are being hashed again in the background; recall waits until this has finished',
} as const;

/** @param keyIds of the keys in ENCRYPTION_KEY; null when unknown here */
export async function examineEncryptionKeys(database: Database, keyIds: readonly string[] | null) {
  const counts = await countClinicKeys(database.em());
  if (counts.length === 0) return 'nothing is encrypted yet';
  const ways = counts.map(({ keyId, rows }) => `${keyId}: encrypts the keys of ${rows} clinics`);
  const found = [...ways, ...(await exchangesUnderWay(database))].join('; ');
  if (keyIds === null)
    return `${found}; ENCRYPTION_KEY is not set here, so this check cannot tell whether it lists all of them`;
  const missing = counts.map(({ keyId }) => keyId).filter((keyId) => !keyIds.includes(keyId));
  if (missing.length > 0)
    throw new DegradedError(`ENCRYPTION_KEY does not list ${missing.join(', ')}. ${found}`);
  return found;
}

async function exchangesUnderWay(database: Database): Promise<string[]> {
  const exchanges: string[] = [];
  for (const kind of ['phone_hash', 'name_hash'] as const)
    if (await isHashBeingExchanged(database.em(), kind)) exchanges.push(EXCHANGES[kind]);
  return exchanges;
}
