import type { EntityManager } from '@mikro-orm/postgresql';
import type { ClinicCiphers, Sealing } from '../../domain/encryption/clinic-ciphers.ts';
import type { Timings } from '../../domain/timings.ts';
import { findClinicKey, insertClinicKey } from '../clinic/clinic-keys.ts';
import { createOutboxNotifier } from '../outbox/outbox-notifier.ts';
import { giveCiphers } from './cipher-of.ts';
import { createBatcher, type Batcher } from './batcher.ts';
import { createClinicLimiter } from './clinic-limiter.ts';
import { withinClinics } from './clinic-scope.ts';
import { CLINIC_ROLE } from '../migrations/clinic-walls.ts';
import { DatabaseHosts } from './hosts.ts';
import { openPool, type PoolLoad } from './open-pool.ts';
import { writingOnce } from './one-write.ts';
import { ENTITIES } from './statements.ts';
import { giveTimings } from './timings-of.ts';

export interface DatabaseOptions {
  url: string;
  /**
   * The number of connections for clinics' work (by default 10), and the same number for other work. Admission and the
   * outbox have a few connections of their own.
   */
  poolSize?: number;
  /** PostgreSQL cancels a statement that takes longer. */
  statementTimeoutMs?: number;
  /** The role for clinics' work: `clinic_tenant` by default. */
  roleOfClinics?: string;
  /** Shown in `pg_stat_activity`. */
  applicationName: string;
  /** For encrypted columns. */
  sealing: Sealing;
  /** By default, the standard timings. Only the sandbox changes them. */
  timings?: Timings;
}

export type { EntityManager };

export interface ClinicDatabase {
  /**
   * Runs `work` that reads a large body or produces a large response. A clinic has one of each kind at a time, with a
   * pause after it.
   */
  large: <T>(kind: 'body' | 'answer', work: () => Promise<T>) => Promise<T>;
  /** Runs `work`; each of its statements is its own transaction. */
  read: <T>(work: (em: EntityManager) => Promise<T>) => Promise<T>;
  write: Database['write'];
}

export interface Database extends AsyncDisposable {
  /** A new unit of work that sees every clinic's rows; each statement is its own transaction. */
  em(): EntityManager;
  /**
   * Runs `work`, which sees every clinic's rows, in one READ COMMITTED transaction and then wakes the outbox
   * dispatcher. Work with a single writing statement may set `writesOnce`, which saves two round trips; a second write
   * for a clinic then throws: `one-write.ts`.
   */
  write<T>(work: (em: EntityManager) => Promise<T>, options?: { writesOnce?: boolean }): Promise<T>;
  /** For the work of one clinic, which can read only this clinic's rows and use only a part of the connections. */
  ofClinic(tenantId: string): ClinicDatabase;
  /** For combined work of several clinics, which can read only their rows and is not limited per clinic. */
  ofClinics(tenantIds: Iterable<string>): ClinicDatabase;
  /** For the support desk, which can read every clinic's rows and use as many connections as a clinic. */
  ofSupport(): ClinicDatabase;
  /**
   * For admission, which comes before every request, with a few reserved connections. It has no entities, and its
   * statements have a short timeout.
   */
  admission(): EntityManager;
  /**
   * For the outbox dispatcher, on a few reserved connections. Its statements look rows up by keys, in a table that may
   * be empty when they are planned and full a second later: docs/decisions/0031. They are short, so a server that does
   * not respond is given up early.
   */
  outbox(): EntityManager;
  /** Creates a batcher whose queue is shown in `load()` under this name. */
  batcher<In, Out>(queue: string, ...how: Parameters<typeof createBatcher<In, Out>>): Batcher<In, Out>;
  /** For encrypted columns. */
  ciphers: ClinicCiphers;
  /** The current load by this process. */
  load(): DatabaseLoad;
  /** Throws when the database is unreachable or read-only. */
  ping(): Promise<void>;
}

export interface DatabaseLoad {
  pools: PoolLoad[];
  /** The queues of work that waits without a connection. */
  queues: { queue: string; waiting: number }[];
}

const POOL_SIZE = 10;
const STATEMENT_TIMEOUT_MS = 10_000;
/** The share of a clinic, so that two busy clinics leave connections to others. */
const SHARE_OF_A_CLINIC = 0.4;
/** How many large bodies or responses a clinic can have at a time. Each uses up to 20 MB. */
const LARGE_OF_A_KIND = 1;
const MAX_REST_MS = 200;
const ADMISSION = { poolSize: 4, statementTimeoutMs: 3000 };
/**
 * The pool of the outbox: claims of four kinds, records, bursts, deletions, the lease, and the check of other leases
 * use one connection each.
 */
const OUTBOX = { poolSize: 10, plansByKeys: true, statementTimeoutMs: STATEMENT_TIMEOUT_MS };

/** Raises an error on a read-only server, so that its connection is dropped. */
const REFUSE_READ_ONLY = `
DO $$
BEGIN
  IF current_setting('transaction_read_only')::boolean THEN
    RAISE read_only_sql_transaction USING MESSAGE = 'the database does not accept writes: it is a standby or read-only';
  END IF;
END
$$`;

function roleOf({ roleOfClinics = CLINIC_ROLE }: DatabaseOptions): string {
  return roleOfClinics;
}

export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { poolSize = POOL_SIZE, statementTimeoutMs = STATEMENT_TIMEOUT_MS } = options;
  const limits = { ...options, hosts: new DatabaseHosts(options.url), poolSize, statementTimeoutMs };
  const clinics = await openPool({ ...limits, name: 'clinics', entities: ENTITIES, role: roleOf(options) });
  const main = await openPool({ ...limits, name: 'default', entities: ENTITIES });
  const admission = await openPool({ ...limits, ...ADMISSION, name: 'admission', entities: [] });
  const outbox = await openPool({ ...limits, ...OUTBOX, name: 'outbox', entities: [] });
  const everyClinic = () => main.orm.em.fork();
  const ciphers = options.sealing.over({
    find: (tenantId) => findClinicKey(admission.orm.em.fork(), tenantId),
    keep: (tenantId, sealed) => insertClinicKey(admission.orm.em.fork(), tenantId, sealed),
  });
  for (const { orm } of [clinics, main, admission, outbox]) {
    giveCiphers(orm.em, ciphers);
    if (options.timings) giveTimings(orm.em, options.timings);
  }
  const notifier = createOutboxNotifier(everyClinic);
  const { inTurn, queues } = createTurns(poolSize);
  const writing =
    (em: EntityManager): Database['write'] =>
    async (work, { writesOnce = false } = {}) => {
      const result = await (writesOnce ? writingOnce(() => work(em)) : em.transactional(work));
      notifier.notify();
      return result;
    };
  const ofClinics: Database['ofClinics'] = (tenantIds) => ({
    large: (_kind, work) => work(),
    read: (work) => withinClinics(tenantIds, () => work(clinics.orm.em.fork())),
    write: (work, how) => withinClinics(tenantIds, () => writing(clinics.orm.em.fork())(work, how)),
  });
  const write: Database['write'] = (work, how) => writing(everyClinic())(work, how);
  return {
    ciphers,
    em: everyClinic,
    write,
    ofClinic: (tenantId) => inTurn(tenantId, ofClinics([tenantId])),
    ofClinics,
    ofSupport: () => inTurn('support', { read: (work) => work(everyClinic()), write }),
    admission: () => admission.orm.em.fork(),
    outbox: () => outbox.orm.em.fork(),
    batcher(queue, ...how) {
      const batcher = createBatcher(...how);
      queues.push({ queue, waiting: batcher.waiting });
      return batcher;
    },
    load: () => ({
      pools: [clinics, main, admission, outbox].map((pool) => pool.load()),
      queues: queues.map(({ queue, waiting }) => ({ queue, waiting: waiting() })),
    }),
    async ping() {
      await admission.orm.em.fork().execute(REFUSE_READ_ONLY);
    },
    async [Symbol.asyncDispose]() {
      await notifier.settled();
      await Promise.all([clinics, main, admission, outbox].map((pool) => pool.orm.close(true)));
    },
  };
}

/** The concurrency limits of a clinic, and the amount of work that waits for them. */
function createTurns(poolSize: number) {
  const takeTurn = createClinicLimiter(Math.max(1, Math.floor(poolSize * SHARE_OF_A_CLINIC)));
  const takeLargeTurn = createClinicLimiter(LARGE_OF_A_KIND, MAX_REST_MS);
  return {
    inTurn: (whose: string, { read, write }: Omit<ClinicDatabase, 'large'>): ClinicDatabase => ({
      large: (kind, work) => takeLargeTurn(`${kind} ${whose}`, work),
      read: (work) => takeTurn(whose, () => read(work)),
      write: (work, how) => takeTurn(whose, () => write(work, how)),
    }),
    queues: [
      { queue: 'clinic_turns', waiting: takeTurn.waiting },
      { queue: 'large_answers', waiting: takeLargeTurn.waiting },
    ],
  };
}
