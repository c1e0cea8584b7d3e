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

/** The entities' tables under their own names, each column under the name of its property. */
export type Tables = InferKyselyDB<(typeof ENTITIES)[number], { columnNamingStrategy: 'property' }>;

/** Columns of a row as they are stored, all of them by default. */
export type RowOf<Table extends keyof Tables, Column extends keyof Tables[Table] = keyof Tables[Table]> = {
  [Name in Column]: SelectType<Tables[Table][Name]>;
};

/** `em`: columns by the names of the statement, and instants as text. `tables(em)`: as the entities have them. */
type Source = EntityManager | QueryExecutorProvider;

/** The rows that a statement returns. */
export function rowsOf<Row>(source: Source) {
  return reading(source, ({ rows }: QueryResult<Row>) => rows);
}

/** The first row that a statement returns; null without any. */
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

/** What a statement returns that has one column. */
export function valuesOf<Value>(source: Source) {
  return reading(source, ({ rows }: QueryResult<Record<string, Value>>) =>
    rows.flatMap((row) => Object.values(row)),
  );
}

/** What a statement returns that always returns one row, of one column. */
export function onlyValue<Value>(source: Source) {
  return reading(source, ({ rows: [row = {}] }: QueryResult<Record<string, Value>>) => {
    const [value] = Object.values(row);
    if (value === undefined) throw new Error('a statement that always returns a value returned none');
    return value;
  });
}

/** Runs a statement that returns nothing. */
export function run(source: Source) {
  return reading(source, (): void => undefined);
}

/** How many rows a statement has inserted, changed or removed. */
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

/** A statement that a connection keeps under this name once it has parsed it. */
export interface PreparedQuery extends CompiledQuery {
  name: string;
}

/**
 * The rows of a statement that each connection parses and plans once: for a booking that is a third of its work. For what runs all
 * the time, with a text that does not hang on its values. It must name its result columns, which migrations may add to.
 */
export function prepared<Row>(source: Source) {
  return async (text: TemplateStringsArray, ...values: unknown[]): Promise<Row[]> => {
    const kysely = kyselyOf(source);
    const statement = sql<Row>(text, ...values).compile(kysely);
    const query: PreparedQuery = { ...statement, name: hash('md5', statement.sql) };
    return (await kysely.getExecutor().executeQuery<Row>(query)).rows;
  };
}

/** The statements whose rows are read as the entities have them. */
const READ_AS_ENTITIES = new WeakSet<QueryId>();

class PropertyNames extends CamelCasePlugin {
  override transformQuery(args: PluginTransformQueryArgs) {
    READ_AS_ENTITIES.add(args.queryId);
    return super.transformQuery(args);
  }
}

const PROPERTY_NAMES = new PropertyNames({ maintainNestedObjectKeys: true });

/**
 * For statements written by hand. What Kysely's builder says is checked against the entities. Rows, of an `sql` text too, come with
 * columns by the names of properties and instants as dates, those too that are reckoned or bear another name, which MikroORM's own
 * `columnNamingStrategy` and `convertValues` leave as they are; what is sealed comes sealed, and is opened by `openRows`.
 */
export function tables(em: EntityManager): Kysely<Tables> {
  return em.getKysely<Tables>().withPlugin(PROPERTY_NAMES);
}

export function isReadAsEntities(queryId: QueryId): boolean {
  return READ_AS_ENTITIES.has(queryId);
}

/** How many rows are found; counts no further than `atMost`, if that is told. */
export async function countUpTo<Table extends keyof Tables>(
  em: EntityManager,
  rows: SelectQueryBuilder<Tables, Table, object>,
  atMost: number | null,
): Promise<number> {
  const found = tables(em).selectFrom(rows.limit(atMost).as('found'));
  const { count } = await found.select(sql<number>`count(*)::integer`.as('count')).executeTakeFirstOrThrow();
  return count;
}

/** For `=`: one of these, of which there may be none. */
export function anyOf<Value>(values: Iterable<Value>): RawBuilder<Value> {
  return sql`ANY(${[...values]})`;
}

/** A condition: the row has these values. Undefined: it may have any. */
export function hasValues<Table extends keyof Tables>(
  row: ExpressionBuilder<Tables, Table>,
  values: FilterObject<Tables, Table>,
) {
  return row.and(values);
}

/** The columns of a table, but those left out. */
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
