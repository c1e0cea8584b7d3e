import { hash } from 'node:crypto';
import type { EntityManager, InferKyselyDB } from '@mikro-orm/postgresql';
import {
  CamelCasePlugin,
  sql,
  type CompiledQuery,
  type ExpressionBuilder,
  type FilterObject,
  type Kysely,
  type PluginTransformQueryArgs,
  type QueryExecutorProvider,
  type QueryId,
  type QueryResult,
  type RawBuilder,
  type SelectQueryBuilder,
  type SelectType,
} from 'kysely';
import * as entities from '../all-entities.ts';

export type { EntityManager };

export const ENTITIES = Object.values(entities);

/** The entities' tables, with columns named like the properties. */
export type Tables = InferKyselyDB<(typeof ENTITIES)[number], { columnNamingStrategy: 'property' }>;

/** Columns of a stored row, all by default. */
export type RowOf<Table extends keyof Tables, Column extends keyof Tables[Table] = keyof Tables[Table]> = {
  [Name in Column]: SelectType<Tables[Table][Name]>;
};

/** `em`: column names as in the statement, instants as text. `tables(em)`: property names, instants as dates. */
type Source = EntityManager | QueryExecutorProvider;

/** All rows of a statement. */
export function rowsOf<Row>(source: Source) {
  return reading(source, ({ rows }: QueryResult<Row>) => rows);
}

/** The first row; null without any. */
export function firstRow<Row>(source: Source) {
  return reading(source, ({ rows }: QueryResult<Row>) => rows[0] ?? null);
}

/** The row of a statement that always returns one, such as a count. */
export function onlyRow<Row>(source: Source) {
  return reading(source, ({ rows: [row] }: QueryResult<Row>) => {
    if (row === undefined) throw new Error('a statement that always returns a row returned none');
    return row;
  });
}

/** The values of a one-column statement. */
export function valuesOf<Value>(source: Source) {
  return reading(source, ({ rows }: QueryResult<Record<string, Value>>) =>
    rows.flatMap((row) => Object.values(row)),
  );
}

/** The value of a statement with one row and one column. */
export function onlyValue<Value>(source: Source) {
  return reading(source, ({ rows: [row = {}] }: QueryResult<Record<string, Value>>) => {
    const [value] = Object.values(row);
    if (value === undefined) throw new Error('a statement that always returns a value returned none');
    return value;
  });
}

/** Runs a statement without a result. */
export function run(source: Source) {
  return reading(source, (): void => undefined);
}

/** The number of rows inserted, changed or deleted. */
export function changedRows(em: EntityManager) {
  return reading(em, ({ numAffectedRows }) => Number(numAffectedRows));
}

function reading<Row, Result>(source: Source, read: (result: QueryResult<Row>) => Result) {
  return async (text: TemplateStringsArray, ...values: unknown[]): Promise<Result> =>
    read(await sql<Row>(text, ...values).execute(kyselyOf(source)));
}

function kyselyOf(source: Source): QueryExecutorProvider {
  return 'getKysely' in source ? source.getKysely() : source;
}

/** A statement that each connection parses once and keeps under this name. */
export interface PreparedQuery extends CompiledQuery {
  name: string;
}

/**
 * The rows of a statement that each connection parses and plans once, which saves a third of a booking's work. For
 * frequent statements with a constant text. It must name its result columns, because migrations may add some.
 */
export function prepared<Row>(source: Source) {
  return async (text: TemplateStringsArray, ...values: unknown[]): Promise<Row[]> => {
    const kysely = kyselyOf(source);
    const statement = sql<Row>(text, ...values).compile(kysely);
    const query: PreparedQuery = { ...statement, name: hash('md5', statement.sql) };
    return (await kysely.getExecutor().executeQuery<Row>(query)).rows;
  };
}

/** Statements whose rows are read with property names. */
const READ_AS_ENTITIES = new WeakSet<QueryId>();

class PropertyNames extends CamelCasePlugin {
  override transformQuery(args: PluginTransformQueryArgs) {
    READ_AS_ENTITIES.add(args.queryId);
    return super.transformQuery(args);
  }
}

const PROPERTY_NAMES = new PropertyNames({ maintainNestedObjectKeys: true });

/**
 * For hand-written statements, with Kysely's builder checked against the entities. Columns are named like properties
 * and instants are dates, also for computed or renamed columns and `sql` texts (MikroORM's own `columnNamingStrategy`
 * and `convertValues` skip those). Encrypted columns stay encrypted until `openRows`.
 */
export function tables(em: EntityManager): Kysely<Tables> {
  return em.getKysely<Tables>().withPlugin(PROPERTY_NAMES);
}

export function isReadAsEntities(queryId: QueryId): boolean {
  return READ_AS_ENTITIES.has(queryId);
}

/** Counts matching rows, up to `atMost` if it is given. */
export async function countUpTo<Table extends keyof Tables>(
  em: EntityManager,
  rows: SelectQueryBuilder<Tables, Table, object>,
  atMost: number | null,
): Promise<number> {
  const found = tables(em).selectFrom(rows.limit(atMost).as('found'));
  const { count } = await found.select(sql<number>`count(*)::integer`.as('count')).executeTakeFirstOrThrow();
  return count;
}

/** For `=`: any of these values, possibly none. */
export function anyOf<Value>(values: Iterable<Value>): RawBuilder<Value> {
  return sql`ANY(${[...values]})`;
}

/** A condition: the row has these values. Undefined matches any. */
export function hasValues<Table extends keyof Tables>(
  row: ExpressionBuilder<Tables, Table>,
  values: FilterObject<Tables, Table>,
) {
  return row.and(values);
}

/** All columns of a table except some. */
export function columnsExcept<Table extends keyof Tables, LeftOut extends keyof Tables[Table] = never>(
  table: Table,
  ...leftOut: LeftOut[]
): Exclude<keyof Tables[Table], LeftOut>[] {
  const entity = ENTITIES.find(({ meta }) => meta.tableName === table);
  const without = new Set<PropertyKey>(leftOut);
  const columns = Object.keys(entity?.meta.properties ?? {}).filter((column) => !without.has(column));
  return columns as Exclude<keyof Tables[Table], LeftOut>[];
}

export async function readDatabaseTime(em: EntityManager): Promise<Date> {
  return new Date(
    await onlyValue<number>(em)`SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms`,
  );
}
