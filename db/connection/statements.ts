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

/** Marks a source whose statements are prepared: see `prepared`. */
interface Prepared {
  prepared: EntityManager;
}

/** Where statements run, prepared or not. */
type Source = EntityManager | Prepared;

/**
 * Use this for statements that run all the time and whose text does not depend on values: each connection parses and
 * plans them only once, which saves a third of a booking's work. Such a statement must name its result columns, because
 * a migration may add columns.
 */
export function prepared(em: EntityManager): Prepared {
  return { prepared: em };
}

/**
 * The rows that a statement returns. Each row is checked with the schema `row`; columns have the names of properties,
 * and times are dates. Encrypted columns stay encrypted until `openRows` decrypts them.
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

  /** Keeps the column names, which the driver has already converted (`asEntities`). */
  override transformResult({ result }: PluginTransformResultArgs) {
    return Promise.resolve(result);
  }

  propertyOf(column: string): string {
    return this.camelCase(column);
  }
}

const PROPERTY_NAMES = new PropertyNames();

/** Converts the driver's arrays to objects with the names of properties. Names inside JSON values are kept. */
export function asEntities(columns: readonly { name: string }[], rows: readonly unknown[][]): object[] {
  const names = columns.map(({ name }) => PROPERTY_NAMES.propertyOf(name));
  return rows.map((values) => {
    const row: Record<string, unknown> = {};
    for (let at = 0; at < names.length; at += 1) row[names[at] ?? ''] = values[at];
    return row;
  });
}

/**
 * Kysely's query builder, typed by the entities. Its rows have the same form as those of `rowsOf`, including computed
 * and renamed columns.
 */
export function tables(em: EntityManager): Kysely<Tables> {
  return em.getKysely<Tables>().withPlugin(PROPERTY_NAMES);
}

/** Counts matching rows, up to `atMost` if it is given. */
export function countUpTo<Table extends keyof Tables>(
  em: EntityManager,
  rows: SelectQueryBuilder<Tables, Table, object>,
  atMost: number | null,
): Promise<number> {
  return onlyValue(em, z.number())`SELECT count(*)::integer FROM (${rows.limit(atMost)}) AS found`;
}

/** The right side of `=`: any of these values. */
export function anyOf<Value>(values: Iterable<Value>): RawBuilder<Value> {
  return sql`ANY(${[...values]})`;
}

/** A condition that the row has these values. An undefined value matches any. */
export function hasValues<Table extends keyof Tables>(
  row: ExpressionBuilder<Tables, Table>,
  values: FilterObject<Tables, Table>,
) {
  return row.and(values);
}

export function readDatabaseTime(em: EntityManager): Promise<Date> {
  return onlyValue(em, z.date())`SELECT clock_timestamp()`;
}
