import { sql, type RawBuilder } from 'kysely';

/** A timer that fires soon is as urgent as everything else. */
const NEARLY_DUE = sql.lit('5 minutes');

/** When the workflow that a message (jsonb) asks for has to run; null for everything that cannot wait. */
export function timerDueAt(message: RawBuilder<unknown>): RawBuilder<unknown> {
  const dueAt = sql`(${message} ->> 'dueAt')::timestamptz`;
  return sql`CASE WHEN ${dueAt} > now() + ${NEARLY_DUE}::interval THEN ${dueAt} END`;
}
