import { p } from '@mikro-orm/postgresql';

/** An instant kept to the millisecond, as the API shows it, so that cursors and stored values agree. */
export function millisecondInstant() {
  return p.datetime(3).columnType('timestamptz(3)');
}
