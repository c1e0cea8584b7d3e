import type { PageByName } from '../db/clinic/page-by-name.ts';
import { cursorByName } from '../domain/lists/cursor.schema.ts';

const PAGE = 50;

const place = cursorByName('by-name');

type Named = NonNullable<PageByName['after']>;

/** The requested page of a list sorted by name, and the cursor of the next page. @param named the position of a row */
export async function readPageByName<Row>(
  query: URLSearchParams,
  list: (page: PageByName) => Promise<Row[]>,
  named: (row: Row) => Named,
): Promise<{ rows: Row[]; cursor: string | null }> {
  const after = place.parameter.safeParse(query.get('cursor')).data;
  const found = await list({ after, limit: PAGE + 1 });
  const rows = found.slice(0, PAGE);
  const last = found.length > PAGE ? rows.at(-1) : undefined;
  if (!last) return { rows, cursor: null };
  const { name, id } = named(last);
  return { rows, cursor: place.encode({ name, id }) };
}
