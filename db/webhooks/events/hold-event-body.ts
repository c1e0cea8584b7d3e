import { sql } from 'kysely';
import type { EntityManager } from '../../connection/open-database.ts';

/** Whether the event can still be sent; if so, its body does not go before the transaction ends. */
export async function holdEventBody(em: EntityManager, tenantId: string, eventId: string): Promise<boolean> {
  const { rows } = await sql`
    SELECT
    FROM webhook_event
    WHERE tenant_id = ${tenantId} AND id = ${eventId} AND body IS NOT NULL
    FOR KEY SHARE
  `.execute(em.getKysely());
  return rows.length > 0;
}
