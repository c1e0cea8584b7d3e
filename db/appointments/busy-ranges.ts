import { sql } from 'kysely';
import type { TimeRange } from '../../domain/appointments/slot.ts';
import type { EntityManager } from '../connection/open-database.ts';

/** When each of the professionals is taken within `range`, by professional id. */
export async function findBusyRanges(
  em: EntityManager,
  tenantId: string,
  professionalIds: readonly string[],
  range: TimeRange,
): Promise<Map<string, TimeRange[]>> {
  const { rows } = await sql<{ professional_id: string; from_ms: number; until_ms: number }>`
    SELECT
      professional_id,
      (extract(epoch FROM block_from) * 1000)::float8 AS from_ms,
      (extract(epoch FROM block_until) * 1000)::float8 AS until_ms
    FROM appointment
    WHERE tenant_id = ${tenantId}
      AND professional_id = ANY(${[...professionalIds]}::uuid[])
      AND blocks
      AND tstzrange(block_from, block_until, '[)') && tstzrange(${range.from}, ${range.until}, '[)')
  `.execute(em.getKysely());
  const busy = new Map<string, TimeRange[]>(professionalIds.map((id) => [id, []]));
  for (const row of rows) {
    busy.get(row.professional_id)?.push({ from: new Date(row.from_ms), until: new Date(row.until_ms) });
  }
  return busy;
}
