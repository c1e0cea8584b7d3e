import { sql } from 'kysely';
import type { EntityManager } from '../connection/open-database.ts';

/**
 * How many notices nobody at the clinic has taken note of. Planned for this clinic each time: a plan for any clinic would read
 * the whole table where one has most of it. @param atMost more are not counted
 */
export async function countUnreadNotices(
  em: EntityManager,
  tenantId: string,
  atMost: number,
): Promise<number> {
  const { rows } = await sql<{ unread: number }>`
    SELECT count(*)::integer AS unread
    FROM (
      SELECT FROM notification
      WHERE tenant_id = ${tenantId}
        AND read_at IS NULL
      LIMIT ${atMost}
    ) AS found
  `.execute(em.getKysely());
  return rows[0]?.unread ?? 0;
}
