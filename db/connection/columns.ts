import { Type, types, UnderscoreNamingStrategy } from '@mikro-orm/postgresql';
import { sql, type RawBuilder } from 'kysely';
import { z } from 'zod';
import { ENTITIES, type RowOf, type Tables } from './statements.ts';

type ColumnsOf<Table extends keyof Tables, Column extends keyof Tables[Table]> = z.ZodObject<{
  [Name in Column]: z.ZodType<RowOf<Table>[Name]>;
}>;

/**
 * Columns of an entity's table, for rows that are read by hand. Their kinds are checked, and whether they may be null;
 * which texts a status may be, and what is in JSON, is what the entity says.
 */
export function columnsOf<Table extends keyof Tables, Column extends keyof Tables[Table] & string>(
  table: Table,
  ...columns: Column[]
): ColumnsOf<Table, Column> {
  const shape = Object.fromEntries(columns.map((column) => [column, kindOf(propertiesOf(table)[column])]));
  return z.object(shape) as unknown as ColumnsOf<Table, Column>;
}

/** The columns of a table, but those left out. */
export function columnsExcept<Table extends keyof Tables, LeftOut extends keyof Tables[Table] = never>(
  table: Table,
  ...leftOut: LeftOut[]
): (Exclude<keyof Tables[Table], LeftOut> & string)[] {
  const without = new Set<PropertyKey>(leftOut);
  const columns = Object.keys(propertiesOf(table)).filter((column) => !without.has(column));
  return columns as (Exclude<keyof Tables[Table], LeftOut> & string)[];
}

/** Whatever PostgreSQL has as JSON. */
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
 * These columns, for SELECT, INSERT and RETURNING: what is prepared must not change its result when a migration adds
 * one.
 */
export function listOf(properties: readonly string[] | z.ZodObject): RawBuilder<unknown> {
  const names = 'shape' in properties ? Object.keys(properties.shape) : properties;
  return sql.join(names.map((name) => sql.ref(columnOf(name))));
}
