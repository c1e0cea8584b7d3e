import {
  PostgresDialect,
  PostgresDriver,
  type CompiledQuery,
  type DatabaseConnection,
  type QueryResult,
} from 'kysely';
import { types as typesOfDriver, type Pool, type PoolClient } from 'pg';
import {
  scopedClinics,
  beginForClinics,
  prepareForClinics,
  queryOfClinics,
  type Reach,
} from './clinic-scope.ts';
import { wantsAnotherConnection } from './database-errors.ts';
import { checkWritesOnce } from './one-write.ts';
import { asEntities, isReadAsEntities, type PreparedQuery } from './statements.ts';

/** Reads times as dates and rows as arrays. */
const AS_ENTITIES = { types: typesOfDriver, rowMode: 'array' };

/** After how many uses of a connection its plans are discarded, at first and at most. */
const FIRST_PLANS_LAST = 8;
const PLANS_LAST = 1024;

/** @param role the role whose scope limits the visible rows; null to see every clinic's */
export function poolDialect(pool: Pool, role: string | null): PostgresDialect {
  return Object.assign(new PostgresDialect({ pool }), {
    createDriver: () => new PoolDriver(pool, role),
  });
}

/**
 * Kysely's driver for `pg` with six additions: named prepared statements; discarding old plans; returning a connection
 * that dies in a transaction; leaving a read-only or closing server; a scope for each transaction; and dates instead of
 * texts for instants, except for MikroORM.
 */
class PoolDriver extends PostgresDriver {
  readonly #pool: Pool;
  readonly #role: string | null;
  readonly #connections = new WeakMap<PoolClient, PoolConnection>();

  constructor(pool: Pool, role: string | null) {
    super({ pool });
    this.#pool = pool;
    this.#role = role;
    // The work that uses the connection receives the error, so nothing else needs to be done.
    pool.on('error', () => undefined);
    pool.on('connect', (client) => client.on('error', () => undefined));
  }

  override async acquireConnection(): Promise<PoolConnection> {
    const reach = this.#role === null ? null : { role: this.#role, clinics: scopedClinics() };
    const client = await this.#pool.connect();
    const connection = this.#connections.get(client) ?? new PoolConnection(client);
    this.#connections.set(client, connection);
    await connection.orRelease(connection.beTakenFor(reach));
    return connection;
  }

  override async beginTransaction(connection: PoolConnection): Promise<void> {
    await connection.orRelease(connection.begin());
  }

  override async commitTransaction(connection: PoolConnection): Promise<void> {
    await connection.end('COMMIT');
  }

  /** If this fails, the connection and its transaction are dead. Kysely does not release such a connection. */
  override async rollbackTransaction(connection: PoolConnection): Promise<void> {
    await connection.end('ROLLBACK').catch(() => undefined);
  }

  override async releaseConnection(connection: DatabaseConnection): Promise<void> {
    (connection as PoolConnection).release();
  }
}

class PoolConnection implements DatabaseConnection {
  readonly #client: PoolClient;
  #uses = 0;
  #plansEndAt = FIRST_PLANS_LAST;
  /** Whether the connection must be closed because its server was demoted or is shutting down. */
  #isLeft = false;
  /** The clinic; null for every clinic. */
  #reach: Reach | null = null;
  /** The transaction has already set its scope. */
  #isInTransaction = false;

  constructor(client: PoolClient) {
    this.#client = client;
  }

  async executeQuery<Row>(query: CompiledQuery | PreparedQuery): Promise<QueryResult<Row>> {
    const { sql: text, parameters, queryId } = query;
    if (this.#reach !== null && !this.#isInTransaction) checkWritesOnce(text);
    const name = 'name' in query && { name: query.name };
    const isAsEntities = isReadAsEntities(queryId);
    const asked = { ...name, ...(isAsEntities && AS_ENTITIES), text, values: [...parameters] };
    const answer =
      this.#reach === null || this.#isInTransaction
        ? this.#client.query(asked)
        : queryOfClinics(this.#client, asked, this.#reach);
    const { rows, fields, rowCount } = await this.#noticing(answer);
    const read = isAsEntities ? asEntities(fields, rows as unknown[][]) : rows;
    return { rows: read as Row[], numAffectedRows: BigInt(rowCount ?? 0) };
  }

  streamQuery(): never {
    throw new Error('this driver cannot stream rows');
  }

  async #run(statement: string): Promise<void> {
    await this.#noticing(this.#client.query(statement));
  }

  async beTakenFor(reach: Reach | null): Promise<void> {
    if (reach !== null && this.#uses === 0) await prepareForClinics(this.#client, reach.role);
    this.#reach = reach;
    await this.#planAnewWhenDue();
  }

  async begin(): Promise<void> {
    await this.#run(this.#reach === null ? 'BEGIN' : beginForClinics(this.#reach));
    this.#isInTransaction = true;
  }

  /** Ends the transaction. Later statements set their scope again. */
  async end(statement: 'COMMIT' | 'ROLLBACK'): Promise<void> {
    this.#isInTransaction = false;
    await this.#run(statement);
  }

  /**
   * PostgreSQL caches the plans of prepared statements and foreign keys. A plan made while a table was nearly empty may
   * be a full scan after it has grown. So plans are discarded each time the use of the connection has doubled:
   * docs/decisions/0031-plans-that-stay-right.md
   */
  async #planAnewWhenDue(): Promise<void> {
    this.#uses += 1;
    if (this.#uses < this.#plansEndAt) return;
    this.#plansEndAt += Math.min(this.#uses, PLANS_LAST);
    await this.#run('DISCARD PLANS');
  }

  /** Releases a connection on which a transaction could not start. Kysely would not. */
  async orRelease(beginning: Promise<void>): Promise<void> {
    try {
      await beginning;
    } catch (error) {
      this.#client.release(true);
      throw error;
    }
  }

  release(): void {
    this.#client.release(this.#isLeft);
  }

  async #noticing<Result>(answer: Promise<Result>): Promise<Result> {
    try {
      return await answer;
    } catch (error) {
      this.#isLeft ||= wantsAnotherConnection(error);
      throw error;
    }
  }
}
