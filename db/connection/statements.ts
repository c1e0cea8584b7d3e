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
  type PluginTransformResultArgs,
  type QueryId,
  type QueryResult,
  type RawBuilder,
  type SelectQueryBuilder,
  type SelectType,
} from 'kysely';
import { z } from 'zod';
import * as entities from '../all-entities.ts';

export type { EntityManager };

export const ENTITIES = Object.values(entities);

/** The entities' tables, with columns named like the properties. */
export type Tables = InferKyselyDB<(typeof ENTITIES)[number], { columnNamingStrategy: 'property' }>;

/** Columns of a stored row, all by default. */
export type RowOf<Table extends keyof Tables, Column extends keyof Tables[Table] = keyof Tables[Table]> = {
  [Name in Column]: SelectType<Tables[Table][Name]>;
};

/** A statement that runs all the time: `prepared`. */
interface Prepared {
  prepared: EntityManager;
}

/** A statement to run once, or often. */
type Source = EntityManager | Prepared;

/**
 * For a statement that each connection parses and plans once: for a booking that is a third of its work. For what runs all the time,
 * with a text that does not depend on its values. It must name its result columns, which migrations may add to.
 */
export function prepared(em: EntityManager): Prepared {
  return { prepared: em };
}

/**
 * The rows that a statement returns, each checked to be as `row` says: a column has the name of its property and an instant is a
 * date. What is sealed comes sealed; `openRows` opens it.
 */
export function rowsOf<Row extends z.ZodType>(source: Source, row: Row) {
  return reading(source, ({ rows }) => rows.map((read) => row.parse(read)));
}

/** The first row; null without any. */
export function firstRow<Row extends z.ZodType>(source: Source, row: Row) {
  return reading(source, ({ rows: [first] }) => (first === undefined ? null : row.parse(first)));
}

/** The row of a statement that always returns one, such as a count. */
export function onlyRow<Row extends z.ZodType>(source: Source, row: Row) {
  return reading(source, ({ rows: [only] }) => {
    if (only === undefined) throw new Error('a statement that always returns a row returned none');
    return row.parse(only);
  });
}

/** The values of a one-column statement. */
export function valuesOf<Value extends z.ZodType>(source: Source, value: Value) {
  return reading(source, ({ rows }) => rows.flatMap(Object.values).map((read) => value.parse(read)));
}

/** The value of a statement with one row and one column. */
export function onlyValue<Value extends z.ZodType>(source: Source, value: Value) {
  return reading(source, ({ rows: [row = {}] }) => {
    const [only] = Object.values(row);
    if (only === undefined) throw new Error('a statement that always returns a value returned none');
    return value.parse(only);
  });
}

/** Runs a statement without a result. */
export function run(source: Source) {
  return reading(source, (): void => undefined);
}

/** The number of rows inserted, changed or deleted. */
export function changedRows(source: Source) {
  return reading(source, ({ numAffectedRows }) => Number(numAffectedRows));
}

/** A statement that each connection parses once and keeps under this name. */
export interface PreparedQuery extends CompiledQuery {
  name: string;
}

function reading<Result>(source: Source, read: (result: QueryResult<object>) => Result) {
  return async (text: TemplateStringsArray, ...values: unknown[]): Promise<Result> => {
    const kysely = ('prepared' in source ? source.prepared : source).getKysely();
    const statement = sql<object>(text, ...values).compile(kysely);
    READ_AS_ENTITIES.add(statement.queryId);
    const query: CompiledQuery<object> | PreparedQuery =
      'prepared' in source ? { ...statement, name: hash('md5', statement.sql) } : statement;
    return read(await kysely.getExecutor().executeQuery<object>(query));
  };
}

/** Statements whose rows are read with property names. */
const READ_AS_ENTITIES = new WeakSet<QueryId>();

export function isReadAsEntities(queryId: QueryId): boolean {
  return READ_AS_ENTITIES.has(queryId);
}

class PropertyNames extends CamelCasePlugin {
  override transformQuery(args: PluginTransformQueryArgs) {
    READ_AS_ENTITIES.add(args.queryId);
    return super.transformQuery(args);
  }

  /** The driver has named the columns already: `asEntities`. */
  override transformResult({ result }: PluginTransformResultArgs) {
    return Promise.resolve(result);
  }

  propertyOf(column: string): string {
    return this.camelCase(column);
  }
}

const PROPERTY_NAMES = new PropertyNames();

/** Rows as the driver reads them, as objects whose columns have the names of properties; what is in JSON keeps its own. */
export function asEntities(columns: readonly { name: string }[], rows: readonly unknown[][]): object[] {
  const names = columns.map(({ name }) => PROPERTY_NAMES.propertyOf(name));
  return rows.map((values) => {
    const row: Record<string, unknown> = {};
    for (let at = 0; at < names.length; at += 1) row[names[at] ?? ''] = values[at];
    return row;
  });
}

/**
 * Kysely's builder, which is checked against the entities. Its rows are as those of `rowsOf`, also columns that are computed or have
 * another name, which MikroORM's own `columnNamingStrategy` and `convertValues` leave as they are.
 */
export function tables(em: EntityManager): Kysely<Tables> {
  return em.getKysely<Tables>().withPlugin(PROPERTY_NAMES);
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

export function readDatabaseTime(em: EntityManager): Promise<Date> {
  return onlyValue(em, z.date())`SELECT clock_timestamp()`;
}
