import type { InferKyselyDB } from '@mikro-orm/postgresql';
import {
  CamelCasePlugin,
  sql,
  type ExpressionBuilder,
  type FilterObject,
  type Kysely,
  type PluginTransformQueryArgs,
  type QueryId,
  type RawBuilder,
  type SelectType,
} from 'kysely';
import { ENTITIES } from '../all-entities.ts';
import type { EntityManager } from './open-database.ts';

/** The entities' tables under their own names, each column under the name of its property. */
export type Tables = InferKyselyDB<(typeof ENTITIES)[number], { columnNamingStrategy: 'property' }>;

/** Columns of a row as they are stored, all of them unless told. */
export type RowOf<Table extends keyof Tables, Column extends keyof Tables[Table] = keyof Tables[Table]> = {
  [Name in Column]: SelectType<Tables[Table][Name]>;
};

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
export function columnsBut<Table extends keyof Tables, LeftOut extends keyof Tables[Table] = never>(
  table: Table,
  ...leftOut: LeftOut[]
): Exclude<keyof Tables[Table], LeftOut>[] {
  const entity = ENTITIES.find(({ meta }) => meta.tableName === table);
  const without = new Set<PropertyKey>(leftOut);
  const columns = Object.keys(entity?.meta.properties ?? {}).filter((column) => !without.has(column));
  return columns as Exclude<keyof Tables[Table], LeftOut>[];
}
