import { sql } from 'kysely';
import { anyOf, tables, type EntityManager, type RowOf } from '../connection/statements.ts';

const COLUMNS = ['id', 'name', 'status', 'country', 'config'] as const;

/** A clinic as the desk names it. */
export type DeskClinic = RowOf<'tenant', (typeof COLUMNS)[number]>;

/** Those whose name has words that begin so, accents, capitals and order aside, by name; all where there is no word. */
export function findClinicsByName(em: EntityManager, words: string, limit: number): Promise<DeskClinic[]> {
  const fits = sql<boolean>`NOT EXISTS (
    SELECT FROM unnest(string_to_array(nullif(plain_words(${words}), ''), ' ')) word
    WHERE NOT starts_with(plain_words(tenant.name), word)
      AND strpos(plain_words(tenant.name), ' ' || word) = 0
  )`;
  const clinics = tables(em).selectFrom('tenant').select(COLUMNS).where(fits);
  return clinics.orderBy('name').orderBy('id').limit(limit).execute();
}

/** By the id. */
export async function findClinics(em: EntityManager, ids: readonly string[]) {
  const wanted = anyOf(new Set(ids));
  const rows = await tables(em).selectFrom('tenant').select(COLUMNS).where('id', '=', wanted).execute();
  return new Map(rows.map((clinic) => [clinic.id, clinic]));
}
