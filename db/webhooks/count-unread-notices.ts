import type { EntityManager } from '../connection/open-database.ts';
import { prepared } from '../connection/prepared.ts';

/** How many notices nobody at the clinic has taken note of. @param atMost more are not counted */
export async function countUnreadNotices(
  em: EntityManager,
  tenantId: string,
  atMost: number,
): Promise<number> {
  const { rows } = await prepared<{ unread: number }>(em)`
    SELECT count(*)::integer AS unread
    FROM (
      SELECT FROM notification
      WHERE tenant_id = ${tenantId}
        AND read_at IS NULL
      LIMIT ${atMost}
    ) AS found
  `;
  return rows[0]?.unread ?? 0;
}
