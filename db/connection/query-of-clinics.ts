import { Query, type Connection, type PoolClient, type QueryConfig, type QueryResult } from 'pg';
import { CLINICS_IN_REACH } from './clinics-in-reach.ts';

const SETTING = {
  name: 'clinics_in_reach',
  text: `SELECT set_config('${CLINICS_IN_REACH}', $1, true)`,
};

/** Prepares a new connection for statements of clinics. */
export async function prepareForClinics(client: PoolClient): Promise<void> {
  await client.query({ ...SETTING, values: ['{}'] });
}

/** Begins a transaction of these clinics in one round trip; it forgets them when it ends. */
export function beginForClinics(clinics: string): string {
  return `BEGIN; SELECT set_config('${CLINICS_IN_REACH}', '${clinics}', true)`;
}

/**
 * Runs a statement that has no transaction around it, which sees the rows of these clinics. The setting goes out together
 * with it and before the same Sync, so that both are one transaction of PostgreSQL and one round trip.
 */
export function queryOfClinics(
  client: PoolClient,
  query: QueryConfig,
  clinics: string,
): Promise<QueryResult<Record<string, unknown>>> {
  return new Promise((resolve, reject) => {
    const settled: Settled = (error, result) => (error ? reject(retraced(error)) : resolve(result));
    client.query(new QueryOfClinics(query, clinics, settled));
  });
}

type Settled = (error: Error | null | undefined, result: QueryResult<Record<string, unknown>>) => void;

/** What the types of the driver leave out of its queries and connections. */
interface Protocol {
  bind(config: { portal: string; statement: string; values: string[] }): void;
  execute(config: { portal: string; rows: number }): void;
}
interface Steps {
  prepare(connection: Connection): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: Connection): void;
}
const DriversQuery = Query as unknown as new (
  config: QueryConfig & { queryMode: 'extended' },
  values: undefined,
  settled: Settled,
) => InstanceType<typeof Query> & Steps;

class QueryOfClinics extends DriversQuery {
  readonly #clinics: string;
  #isSet = false;

  constructor(query: QueryConfig, clinics: string, settled: Settled) {
    // Without values the driver would send a simple query, which nothing can go together with.
    super({ ...query, queryMode: 'extended' }, undefined, settled);
    this.#clinics = clinics;
  }

  override prepare(connection: Connection & Protocol): void {
    connection.bind({ portal: '', statement: SETTING.name, values: [this.#clinics] });
    connection.execute({ portal: '', rows: 0 });
    super.prepare(connection);
  }

  /** The first row is that of the setting. */
  override handleDataRow(message: unknown): void {
    if (this.#isSet) super.handleDataRow(message);
  }

  override handleCommandComplete(message: unknown, connection: Connection): void {
    if (this.#isSet) super.handleCommandComplete(message, connection);
    this.#isSet = true;
  }
}

/** An error that leads to whoever asked, not to the socket; as the driver does it for its own promises. */
function retraced(error: Error): Error {
  Error.captureStackTrace(error);
  return error;
}
