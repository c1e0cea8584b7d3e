import { sql } from 'kysely';
import type { HeldMs } from '../../../domain/appointments/with-hold.ts';
import type { EntityManager } from '../../connection/open-database.ts';
import type { BusyQuestion } from '../busy-ranges.ts';
import { IS_LIVE_HOLD } from './hold-reader.ts';

interface Held {
  professional_id: string;
  from_ms: string;
  until_ms: string;
  expires_ms: string;
}

/** What each of the professionals' time is held within `range`, by professional id; without those of whom none is. */
export async function findHeldRanges(
  em: EntityManager,
  { tenantId, professionalIds, range }: BusyQuestion,
): Promise<Map<string, HeldMs[]>> {
  const { rows } = await sql<Held>`
    SELECT
      professional_id,
      (extract(epoch FROM block_from) * 1000)::bigint AS from_ms,
      (extract(epoch FROM block_until) * 1000)::bigint AS until_ms,
      (extract(epoch FROM hold_expires_at) * 1000)::bigint AS expires_ms
    FROM calendar_entry
    WHERE tenant_id = ${tenantId}
      AND professional_id = ANY(${[...professionalIds]}::uuid[])
      AND tstzrange(block_from, block_until, '[)') && tstzrange(${range.from}, ${range.until}, '[)')
      AND ${IS_LIVE_HOLD}
  `.execute(em.getKysely());
  const byProfessional = Map.groupBy(rows, (row) => row.professional_id);
  return new Map(Array.from(byProfessional, ([id, held]) => [id, held.map(toHeld)]));
}

function toHeld({ from_ms: from, until_ms: until, expires_ms: expires }: Held): HeldMs {
  return { fromMs: Number(from), untilMs: Number(until), expiresMs: Number(expires) };
}
