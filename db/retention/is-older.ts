import { sql, type RawBuilder } from 'kysely';

/** Whether an instant lies more days back than that; null: whenever it is. */
export function isOlder(at: RawBuilder<unknown>, days: number | null): RawBuilder<unknown> {
  return days === null ? sql`true` : sql`${at} < now() - make_interval(days => ${days})`;
}
