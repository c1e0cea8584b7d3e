import type { Socket } from 'node:net';
import {
  MikroORM,
  type Options,
  isRaw,
  NativeQueryBuilder,
  PostgreSqlConnection,
  PostgreSqlDriver,
  raw,
  type PostgreSqlPlatform,
  type RawQueryFragment,
} from '@mikro-orm/postgresql';
import { Pool, type PoolConfig, type Connection, type PoolClient } from 'pg';
import { CompiledQuery, type PostgresDialect } from 'kysely';
import { clientOfHosts, KEEP_ALIVE, type DatabaseHosts } from './hosts.ts';
import { poolDialect } from './pool-driver.ts';

const CONNECT_TIMEOUT_MS = 3000;

/** A forgotten transaction releases its locks after this time. */
const IDLE_TRANSACTION_MS = 30_000;

/**
 * PostgreSQL cancels a statement at its timeout. If not even this cancellation arrives within this time, the server
 * counts as unreachable.
 */
const SILENCE_AFTER_TIMEOUT_MS = 2000;

export interface PoolOptions {
  /** Shown in metrics. Pools do not see each other's transactions. */
  name: string;
  hosts: DatabaseHosts;
  /** Shown in `pg_stat_activity`. */
  applicationName: string;
  entities: NonNullable<Options['entities']>;
  poolSize: number;
  /** 10 s, and 3 s for admission: open-database.ts. */
  statementTimeoutMs: number;
  /** Always prefers an index to a full scan, and plans a prepared statement once for all values. False by default. */
  plansByKeys?: boolean;
  /**
   * Each transaction uses this role with a scope (`withinClinics`) and sees no other clinic's rows, whatever the login
   * may see. Null by default.
   */
  role?: string | null;
}

/** The load of a pool. */
export interface PoolLoad {
  pool: string;
  /** The maximum number of connections. */
  size: number;
  inUse: number;
  /** Callers that wait for a connection. */
  waiting: number;
}

/** A connection pool in which every wait has a limit. Connections are opened on demand. */
export async function openPool(options: PoolOptions) {
  const { name, hosts, entities, poolSize, statementTimeoutMs, role = null } = options;
  let opened: Pool | null = null;
  const orm = await MikroORM.init({
    driver: BindingDriver,
    contextName: name,
    clientUrl: hosts.url,
    entities,
    pool: { min: 0, max: poolSize },
    driverOptions: {
      Client: clientOfHosts(hosts, settingsOf(options)),
      application_name: options.applicationName,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      roleOfClinics: role,
      ...KEEP_ALIVE,
      onPoolCreated(pool: Pool) {
        giveUpSilentConnections(pool, statementTimeoutMs + SILENCE_AFTER_TIMEOUT_MS);
        opened = pool;
      },
    },
    ensureDatabase: false,
    initNullableProperties: true,
    assign: { ignoreUndefined: true },
    discovery: { warnWhenNoEntities: false },
  });
  return { orm, load: (): PoolLoad => ({ pool: name, size: poolSize, ...usageOf(opened) }) };
}

function settingsOf({ statementTimeoutMs, plansByKeys }: PoolOptions): Record<string, string> {
  return {
    statement_timeout: String(statementTimeoutMs),
    idle_in_transaction_session_timeout: String(IDLE_TRANSACTION_MS),
    ...(plansByKeys && { enable_seqscan: 'off', plan_cache_mode: 'force_generic_plan' }),
  };
}

function usageOf(pool: Pool | null): { inUse: number; waiting: number } {
  if (!pool) return { inUse: 0, waiting: 0 };
  return { inUse: pool.totalCount - pool.idleCount, waiting: pool.waitingCount };
}

/**
 * MikroORM writes values into statement texts, and PostgreSQL logs the text of a failed one. This driver binds them as
 * parameters, so that no name, note or phone reaches a log: docs/decisions/0003-bound-parameters-for-patient-data.md
 */
const BindingDriver: typeof PostgreSqlDriver = class extends PostgreSqlDriver {
  protected override readonly connection = new BindingConnection(this.config);
};

type Execute = PostgreSqlConnection['execute'];
type DriverOptions = PoolConfig & { onPoolCreated?: (pool: Pool) => void; roleOfClinics?: string | null };

class BindingConnection extends PostgreSqlConnection {
  override createKyselyDialect({
    onPoolCreated,
    roleOfClinics = null,
    ...options
  }: DriverOptions): PostgresDialect {
    const pool = new Pool(this.mapOptions(options));
    onPoolCreated?.(pool);
    return poolDialect(pool, roleOfClinics);
  }

  override execute: Execute = async (query, params = [], method = 'all', transaction) => {
    await this.ensureConnection();
    const statement = bind(toFragment(query, params), this.getPlatform() as PostgreSqlPlatform);
    const result = await (transaction ?? this.getClient()).executeQuery(statement);
    return this.transformRawResult(result, method);
  };
}

function toFragment(query: Parameters<Execute>[0], params: NonNullable<Parameters<Execute>[1]>) {
  if (query instanceof NativeQueryBuilder) return query.toRaw();
  return isRaw(query) ? query : raw(query, params);
}

/** Parses the statement like MikroORM, but puts a parameter where MikroORM would put a value. */
function bind({ sql, params }: RawQueryFragment, platform: PostgreSqlPlatform): CompiledQuery {
  const values: unknown[] = [];
  const escape = (value: unknown): string =>
    Array.isArray(value) ? value.map(escape).join(', ') : `$${values.push(value)}`;
  const numbering = Object.create(platform, { escape: { value: escape } }) as PostgreSqlPlatform;
  return CompiledQuery.raw(numbering.formatQuery(sql, params), values);
}

/**
 * Closes a used connection on which PostgreSQL has been silent for too long: a frozen or disconnected server would
 * block it forever. The waiting caller gets an error. The driver's `query_timeout` would return the connection to the
 * pool in the middle of a transaction.
 */
function giveUpSilentConnections(pool: Pool, longestSilenceMs: number): void {
  pool.on('connect', (client) => {
    const socket = socketOf(client);
    socket.on('timeout', () => socket.destroy());
  });
  pool.on('acquire', (client) => socketOf(client).setTimeout(longestSilenceMs));
  pool.on('release', (_error, client) => socketOf(client).setTimeout(0));
}

/** The client's socket, which the driver's types omit. */
function socketOf(client: PoolClient): Socket {
  return (client as PoolClient & { connection: Connection & { stream: Socket } }).connection.stream;
}
