import { hash } from 'node:crypto';
import { sql, type QueryExecutorProvider, type QueryResult } from 'kysely';
import type { EntityManager, PreparedQuery } from './statements.ts';

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

function reading<Row, Result>(source: Source, read: (result: QueryResult<Row>) => Result) {
  return async (text: TemplateStringsArray, ...values: unknown[]): Promise<Result> =>
    read(await sql<Row>(text, ...values).execute(kyselyOf(source)));
}

function kyselyOf(source: Source): QueryExecutorProvider {
  return 'getKysely' in source ? source.getKysely() : source;
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
