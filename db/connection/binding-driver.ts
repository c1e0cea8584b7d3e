import {
  isRaw,
  NativeQueryBuilder,
  PostgreSqlConnection,
  PostgreSqlDriver,
  raw,
  type PostgreSqlPlatform,
  type RawQueryFragment,
} from '@mikro-orm/postgresql';
import { CompiledQuery, type PostgresDialect } from 'kysely';
import { Pool, type PoolConfig } from 'pg';
import { poolDialect } from './pool-driver.ts';

/**
 * MikroORM writes values into the text of its statements, and PostgreSQL logs the text of one that fails. This driver
 * binds them, so that no name, note or phone gets into a log: docs/decisions/0003-bound-parameters-for-patient-data.md
 */
export const BindingDriver: typeof PostgreSqlDriver = class extends PostgreSqlDriver {
  protected override readonly connection = new BindingConnection(this.config);
};

type Execute = PostgreSqlConnection['execute'];
type Options = PoolConfig & { onPoolCreated?: (pool: Pool) => void; roleOfClinics?: string | null };

class BindingConnection extends PostgreSqlConnection {
  override createKyselyDialect({
    onPoolCreated,
    roleOfClinics = null,
    ...options
  }: Options): PostgresDialect {
    const pool = new Pool(this.mapOptions(options));
    onPoolCreated?.(pool);
    return poolDialect(pool, roleOfClinics);
  }

  override execute: Execute = async (query, params = [], method = 'all', transaction) => {
    await this.ensureConnection();
    const statement = bind(toFragment(query, params), this.getPlatform() as PostgreSqlPlatform);
    const result = await (transaction ?? this.getClient()).executeQuery(statement);
    return this.transformRawResult(result, method);
  };
}

function toFragment(query: Parameters<Execute>[0], params: NonNullable<Parameters<Execute>[1]>) {
  if (query instanceof NativeQueryBuilder) return query.toRaw();
  return isRaw(query) ? query : raw(query, params);
}

/** Reads the statement as MikroORM does, with a number where MikroORM would write a value. */
function bind({ sql, params }: RawQueryFragment, platform: PostgreSqlPlatform): CompiledQuery {
  const values: unknown[] = [];
  const escape = (value: unknown): string =>
    Array.isArray(value) ? value.map(escape).join(', ') : `$${values.push(value)}`;
  const numbering = Object.create(platform, { escape: { value: escape } }) as PostgreSqlPlatform;
  return CompiledQuery.raw(numbering.formatQuery(sql, params), values);
}
