import { AsyncLocalStorage } from 'node:async_hooks';
import { Query, type Connection, type PoolClient, type QueryConfig, type QueryResult } from 'pg';
import { isUuid } from '../../domain/row-id.ts';

/** The setting with the clinics whose rows a session of the role `clinic_tenant` sees: db/migrations/clinic-walls.ts */
export const CLINIC_SCOPE = 'app.tenant_ids';

const reach = new AsyncLocalStorage<string>();

/**
 * Runs `work` with a scope: its connections of the pool `clinics` see only the rows of these clinics. Outside a scope,
 * this pool returns no connection.
 */
export function withinClinics<T>(tenantIds: Iterable<string>, work: () => T): T {
  return reach.run(toArray([...new Set(tenantIds)]), work);
}

/** The clinics in scope as a PostgreSQL array. */
export function scopedClinics(): string {
  const clinics = reach.getStore();
  if (clinics === undefined) throw new Error('no clinic was given, so this statement may not read any rows');
  return clinics;
}

/** The IDs as a PostgreSQL array. They are validated, because they become part of a statement's text. */
function toArray(tenantIds: readonly string[]): string {
  for (const id of tenantIds) if (!isUuid(id)) throw new TypeError('the clinic must be given by its ID');
  return `{${tenantIds.join(',')}}`;
}

/** The role and the clinics that limit what a transaction can read. */
export interface Reach {
  /** `clinic_tenant` or `clinic_guest`: db/migrations/clinic-walls.ts */
  role: string;
  /** As a PostgreSQL array. */
  clinics: string;
}

const SETTING = {
  name: 'clinics_in_reach',
  text: `SELECT set_config('role', $1, true), set_config('${CLINIC_SCOPE}', $2, true)`,
};

/** Prepares a new connection for statements with a scope. */
export async function prepareForClinics(client: PoolClient, role: string): Promise<void> {
  await client.query({ ...SETTING, values: [role, '{}'] });
}

/** Begins a transaction with this scope in one round trip. */
export function beginForClinics({ role, clinics }: Reach): string {
  return `BEGIN; ${SETTING.text.replace('$1', `'${role}'`).replace('$2', `'${clinics}'`)}`;
}

type Answer = QueryResult<Record<string, unknown>>;

/**
 * Runs a statement that has no transaction around it under the role of requests, so that it sees the rows of these
 * clinics.
 *
 * Only this function uses undocumented parts of `pg`: how a query writes to its connection and receives results. The
 * setting is sent before the statement with the same Sync, so that PostgreSQL treats both as one transaction, and the
 * statement does not run if the setting fails. With the driver's `pipeline`, each statement would need BEGIN and
 * COMMIT, which costs twice the processor time. `test/db/walls/clinic-scope.test.ts` fails if a new version of the
 * driver works differently.
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
      else reject(new Error('the driver has not set which clinic’s rows a statement may read'));
    };
    // Without `extended` a statement without values would be sent as a simple query, which cannot be combined.
    const query = new DriversQuery({ ...config, queryMode: 'extended' }, undefined, settled);
    const { submit, handleDataRow, handleCommandComplete } = query;
    query.submit = (connection) => {
      const { stream } = connection;
      stream.cork();
      connection.bind({ statement: SETTING.name, values: [role, clinics] }, true);
      connection.execute(null, true);
      const refusal = submit.call(query, connection);
      stream.uncork();
      // The setting has been sent without a Sync, so the connection's next statement would be taken for this one.
      if (refusal) stream.destroy();
      return refusal;
    };
    // The first row and the first completion belong to the setting.
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

/** Members of queries that the driver's types omit. */
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

/** Gives an error the caller's stack trace instead of the socket's, as the driver does for its own promises. */
function retraced(error: Error): Error {
  Error.captureStackTrace(error);
  return error;
}
