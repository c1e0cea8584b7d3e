import type { Slot } from '../../domain/appointments/slot.ts';
import { rowsOf, type EntityManager } from '../connection/statements.ts';

export interface AskedSlot extends Slot {
  tenantId: string;
  professionalId: string;
}

/** Of each slot, in their order, whether it touches a busy block of its professional or of the whole clinic. */
export async function findBlockedSlots(em: EntityManager, slots: readonly AskedSlot[]): Promise<boolean[]> {
  const asked = slots.map(({ tenantId, professionalId, blockFrom, blockUntil }, nr) => ({
    nr,
    clinic: tenantId,
    professional: professionalId,
    block_from: blockFrom,
    block_until: blockUntil,
  }));
  const rows = await rowsOf<{ nr: number }>(em)`
    SELECT asked.nr
    FROM json_to_recordset(${JSON.stringify(asked)}::json) AS asked (
      nr integer, clinic uuid, professional uuid, block_from timestamptz, block_until timestamptz
    )
    WHERE EXISTS (
      SELECT FROM busy_block
      WHERE tenant_id = asked.clinic
        AND (professional_id IS NULL OR professional_id = asked.professional)
        AND tstzrange(starts_at, ends_at, '[)') && tstzrange(asked.block_from, asked.block_until, '[)')
    )
  `;
  const blocked = new Set(rows.map(({ nr }) => nr));
  return slots.map((_, nr) => blocked.has(nr));
}
