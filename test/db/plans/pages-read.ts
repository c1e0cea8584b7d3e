import type { EntityManager } from '../../../db/connection/open-database.ts';

/** SQL for the id with this number. */
export function uuid(number: number | string): string {
  return `('00000000-0000-7000-8000-' || lpad((${number})::text, 12, '0'))::uuid`;
}

export function idWith(number: number): string {
  return `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`;
}

/** By this transaction so far, from tables and indexes. */
export async function pagesRead(em: EntityManager): Promise<number> {
  const [row] = await em.execute<{ pages: number }[]>(`
    SELECT sum(pg_stat_get_xact_blocks_fetched(oid))::integer AS pages
    FROM pg_class
    WHERE relnamespace = 'public'::regnamespace`);
  return row?.pages ?? 0;
}

/** How many pages it reads, in a transaction of its own. */
export async function pagesFor(
  em: EntityManager,
  act: (em: EntityManager) => Promise<unknown>,
): Promise<number> {
  return em.transactional(async (transaction) => {
    const before = await pagesRead(transaction);
    await act(transaction);
    return (await pagesRead(transaction)) - before;
  });
}
