import { sql } from 'kysely';
import type { SlotHold } from '../../../domain/appointments/slot-hold.ts';
import type { EntityManager } from '../../connection/open-database.ts';
import { HOLD_COLUMNS, readHold, type HoldRow } from './hold-reader.ts';

/** A talk keeps a few times. */
const MOST = 20;

/** What was held in a call, over or not, oldest first; holds are kept for a day after their end. */
export async function findHoldsOfCall(
  em: EntityManager,
  tenantId: string,
  callId: string,
): Promise<SlotHold[]> {
  const { rows } = await sql<HoldRow>`
    SELECT ${HOLD_COLUMNS}
    FROM calendar_entry
    WHERE call_id = ${callId}
      AND tenant_id = ${tenantId}
      AND status = 'held'
    ORDER BY id
    LIMIT ${MOST}
  `.execute(em.getKysely());
  return rows.map((row) => readHold(em, row));
}
