import { sql } from 'kysely';
import type { SlotHold } from '../../../domain/appointments/slot-hold.ts';
import type { EntityManager } from '../../connection/open-database.ts';
import { HOLD_COLUMNS, IS_LIVE_HOLD, readHold, type HoldRow } from './hold-reader.ts';

/** The clinic's hold, as long as it is not over; else null. */
export async function findLiveHold(
  em: EntityManager,
  tenantId: string,
  id: string,
): Promise<SlotHold | null> {
  const { rows } = await sql<HoldRow>`
    SELECT ${HOLD_COLUMNS}
    FROM calendar_entry
    WHERE tenant_id = ${tenantId}
      AND id = ${id}
      AND ${IS_LIVE_HOLD}
  `.execute(em.getKysely());
  return rows[0] ? readHold(em, rows[0]) : null;
}
