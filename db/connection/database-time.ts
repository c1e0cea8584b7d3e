import { onlyValue, type EntityManager } from './statements.ts';

export async function readDatabaseTime(em: EntityManager): Promise<Date> {
  return new Date(
    await onlyValue<number>(em)`SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms`,
  );
}
