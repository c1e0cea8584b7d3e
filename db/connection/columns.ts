import { Type, types, UnderscoreNamingStrategy } from '@mikro-orm/postgresql';
import { sql, type RawBuilder } from 'kysely';
import { z } from 'zod';
import { ENTITIES, type RowOf, type Tables } from './statements.ts';

type ColumnsOf<Table extends keyof Tables, Column extends keyof Tables[Table]> = z.ZodObject<{
  [Name in Column]: z.ZodType<RowOf<Table>[Name]>;
}>;

/**
 * A row schema for columns of an entity's table, for handwritten statements. It checks the types of the columns and
 * whether they may be null, but not the values of statuses or the contents of JSON.
 */
export function columnsOf<Table extends keyof Tables, Column extends keyof Tables[Table] & string>(
  table: Table,
  ...columns: Column[]
): ColumnsOf<Table, Column> {
  const shape = Object.fromEntries(columns.map((column) => [column, kindOf(propertiesOf(table)[column])]));
  return z.object(shape) as unknown as ColumnsOf<Table, Column>;
}

/** Like `columnsOf`, for all columns of a table except the given ones. */
export function columnsExcept<Table extends keyof Tables, LeftOut extends keyof Tables[Table] = never>(
  table: Table,
  ...leftOut: LeftOut[]
): (Exclude<keyof Tables[Table], LeftOut> & string)[] {
  const without = new Set<PropertyKey>(leftOut);
  const columns = Object.keys(propertiesOf(table)).filter((column) => !without.has(column));
  return columns as (Exclude<keyof Tables[Table], LeftOut> & string)[];
}

/** Any value of a JSON column. */
const JSON_VALUE = z.custom((value) => value !== undefined && value !== null);
/** Bigints and decimals are text. */
const TEXT = z.string();
const KINDS = new Map<unknown, z.ZodType>([
  [types.array, z.array(TEXT)],
  [types.bigint, TEXT],
  [types.blob, z.instanceof(Buffer)],
  [types.boolean, z.boolean()],
  [types.datetime, z.date()],
  [types.decimal, TEXT],
  [types.integer, z.number()],
  [types.json, JSON_VALUE],
  [types.smallint, z.number()],
  [types.text, TEXT],
  [types.uuid, TEXT],
]);

function kindOf({ type, nullable }: { type?: unknown; nullable?: boolean } = {}): z.ZodType {
  const kind = KINDS.get(type instanceof Type ? type.constructor : type);
  if (kind === undefined) throw new Error('the entity has no such property, or the property is not a column');
  return nullable ? kind.nullable() : kind;
}

function propertiesOf(table: keyof Tables): Record<string, { type?: unknown; nullable?: boolean }> {
  return ENTITIES.find(({ meta }) => meta.tableName === table)?.meta.properties ?? {};
}

const NAMING = new UnderscoreNamingStrategy();

/** The name of a property's column. */
export function columnOf(property: string): string {
  return NAMING.propertyToColumnName(property);
}

/**
 * A list of these columns for SELECT, INSERT and RETURNING. Prepared statements must name their columns, because their
 * result must not change when a migration adds a column.
 */
export function listOf(properties: readonly string[] | z.ZodObject): RawBuilder<unknown> {
  const names = 'shape' in properties ? Object.keys(properties.shape) : properties;
  return sql.join(names.map((name) => sql.ref(columnOf(name))));
}
