import { AsyncLocalStorage } from 'node:async_hooks';
import { Query, type Connection, type PoolClient, type QueryConfig, type QueryResult } from 'pg';
import { isUuid } from '../../domain/row-id.ts';

/** Names the clinics whose rows a session of the role `clinic_tenant` sees: db/migrations/clinic-walls.ts */
export const CLINIC_SCOPE = 'app.tenant_ids';

const reach = new AsyncLocalStorage<string>();

/**
 * Runs `work`, whose connections of the pool `clinics` see the rows of these clinics and no others. Anyone who asks for such a
 * connection outside of it gets none.
 */
export function withinClinics<T>(tenantIds: Iterable<string>, work: () => T): T {
  return reach.run(toArray([...new Set(tenantIds)]), work);
}

/** The clinics within reach, as PostgreSQL writes an array. */
export function scopedClinics(): string {
  const clinics = reach.getStore();
  if (clinics === undefined) throw new Error('no clinic is named whose rows this may see');
  return clinics;
}

/** It stands in the text of a statement, too. */
function toArray(tenantIds: readonly string[]): string {
  for (const id of tenantIds) if (!isUuid(id)) throw new TypeError('a clinic is named by its id');
  return `{${tenantIds.join(',')}}`;
}

/** What a transaction sees, until it ends. */
export interface Reach {
  /** `clinic_tenant` or `clinic_guest`: db/migrations/clinic-walls.ts */
  role: string;
  /** As PostgreSQL writes an array. */
  clinics: string;
}

const SETTING = {
  name: 'clinics_in_reach',
  text: `SELECT set_config('role', $1, true), set_config('${CLINIC_SCOPE}', $2, true)`,
};

/** Prepares a new connection for statements of clinics. */
export async function prepareForClinics(client: PoolClient, role: string): Promise<void> {
  await client.query({ ...SETTING, values: [role, '{}'] });
}

/** Begins a transaction of these clinics in one round trip. */
export function beginForClinics({ role, clinics }: Reach): string {
  return `BEGIN; ${SETTING.text.replace('$1', `'${role}'`).replace('$2', `'${clinics}'`)}`;
}

type Answer = QueryResult<Record<string, unknown>>;

/**
 * Runs a statement that has no transaction around it under the role of requests, so that it sees the rows of these clinics.
 *
 * This function alone uses what `pg` does not document: how a query writes to its connection and hears from it. The setting
 * goes out before the statement and before the same Sync, so that PostgreSQL takes both as one transaction, and no
 * statement runs whose setting failed. With the driver's `pipeline` a statement would need BEGIN and COMMIT around it: twice the
 * processor time, and it would run with the rights of the login if BEGIN alone failed. A driver that no longer
 * works like this fails `test/db/walls/clinic-scope.test.ts`.
 */
export function queryOfClinics(
  client: PoolClient,
  config: QueryConfig,
  { role, clinics }: Reach,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let isSet = false;
    const settled = (error: Error | null | undefined, answer: Answer) => {
      if (error) reject(retraced(error));
      else if (isSet) resolve(answer);
      else reject(new Error('the driver has not set whose rows a statement may see'));
    };
    // Without `extended` a statement without values would go as a simple query, which nothing can go together with.
    const query = new DriversQuery({ ...config, queryMode: 'extended' }, undefined, settled);
    const { submit, handleDataRow, handleCommandComplete } = query;
    query.submit = (connection) => {
      const { stream } = connection;
      stream.cork();
      connection.bind({ statement: SETTING.name, values: [role, clinics] }, true);
      connection.execute(null, true);
      const refusal = submit.call(query, connection);
      stream.uncork();
      // The setting waits for a Sync, and the next statement of the connection would be taken for this one's.
      if (refusal) stream.destroy();
      return refusal;
    };
    // The first row and the first end are the setting's.
    query.handleDataRow = (row) => {
      if (isSet) handleDataRow.call(query, row);
    };
    query.handleCommandComplete = (message, connection) => {
      if (isSet) handleCommandComplete.call(query, message, connection);
      isSet = true;
    };
    client.query(query);
  });
}

/** What the types of the driver leave out of its queries. */
interface Submitted extends Query {
  submit: (connection: Connection) => Error | null;
  handleDataRow: (row: unknown) => void;
  handleCommandComplete: (message: unknown, connection: Connection) => void;
}
const DriversQuery = Query as unknown as new (
  config: QueryConfig & { queryMode: 'extended' },
  values: undefined,
  settled: (error: Error | null | undefined, answer: Answer) => void,
) => Submitted;

/** An error that leads to its caller, not to the socket; as the driver does it for its own promises. */
function retraced(error: Error): Error {
  Error.captureStackTrace(error);
  return error;
}
