import { MikroORM, type Options } from '@mikro-orm/postgresql';
import type { Pool } from 'pg';
import { BindingDriver } from './binding-driver.ts';
import { clientOfHosts, KEEP_ALIVE } from './hosts/client-of-hosts.ts';
import type { DatabaseHosts } from './hosts/database-hosts.ts';
import { giveUpSilentConnections } from './give-up-silent-connections.ts';

const CONNECT_TIMEOUT_MS = 3000;

/** A transaction that its process has forgotten lets go of its locks. */
const IDLE_TRANSACTION_MS = 30_000;

/** PostgreSQL ends a statement at its timeout; when not even that is heard for so long, it is not there. */
const SILENCE_AFTER_TIMEOUT_MS = 2000;

export interface PoolOptions {
  /** Transactions of one pool are not seen by the others, and the metrics tell of each by itself. */
  name: string;
  hosts: DatabaseHosts;
  /** Shown in `pg_stat_activity`. */
  applicationName: string;
  entities: NonNullable<Options['entities']>;
  poolSize: number;
  /** 10 s, and 3 s for admission: open-database.ts. */
  statementTimeoutMs: number;
  /** No table is read as a whole where an index serves, and what is prepared is planned once for any value. False by default. */
  plansByKeys?: boolean;
  /** Each transaction takes this role for some clinics (`withinClinics`) and sees no others' rows, whatever its login may see. Null by default. */
  role?: string | null;
}

/** How much is asked of a pool. */
export interface PoolLoad {
  pool: string;
  /** The most connections that it may hold. */
  size: number;
  inUse: number;
  /** Callers that wait for a connection. */
  waiting: number;
}

/** Connections that nobody can hold for ever: whatever they wait for has an end. None is opened before it is needed. */
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
