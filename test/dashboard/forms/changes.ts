import type { Database } from '../../../db/connection/open-database.ts';
import { storedRows } from '../../support/stored/stored-texts.ts';

/** What becomes of people who look at pages, sign in and are waited for, and where their forms have led. */
const OF_LOOKING = [
  'session',
  'kept_form',
  'person',
  'patient_read',
  'request_window',
  'idempotency_record',
  // Its rows look alike, so that one more is not seen.
  'usage_change',
];
const LOOKED = /support\.(patient_)?viewed|patient\.looked_up|list\.exported|person\.signed_in/;

/** How many rows of each table are new or no longer what they were; empty when nothing was done. */
export type Changes = Record<string, number>;

/** Everything that is stored. */
export type Stored = ReadonlyMap<string, ReadonlySet<string>>;

export async function readStored(database: Database): Promise<Stored> {
  const stored = await storedRows(database);
  const wanted = [...stored].filter(([table]) => !OF_LOOKING.includes(table));
  return new Map(wanted.map(([table, rows]) => [table, new Set(rows.filter((row) => !LOOKED.test(row)))]));
}

export function changesBetween(before: Stored, after: Stored): Changes {
  const counts = [...after].map(([table, rows]) => {
    const earlier = before.get(table);
    return [table, [...rows].filter((row) => !earlier?.has(row)).length] as const;
  });
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}
