import { sql } from 'kysely';
import type { TimeRange } from '../../domain/appointments/slot.ts';
import type { EntityManager } from '../connection/open-database.ts';

interface BusyRow {
  /** Null: everybody. */
  professional_id: string | null;
  from_ms: number;
  until_ms: number;
}

/** When each of the professionals is taken or blocked within `range`, by professional id. */
export async function findBusyRanges(
  em: EntityManager,
  tenantId: string,
  professionalIds: readonly string[],
  range: TimeRange,
): Promise<Map<string, TimeRange[]>> {
  const within = sql`tstzrange(${range.from}, ${range.until}, '[)')`;
  const { rows } = await sql<BusyRow>`
    SELECT
      professional_id,
      (extract(epoch FROM block_from) * 1000)::float8 AS from_ms,
      (extract(epoch FROM block_until) * 1000)::float8 AS until_ms
    FROM appointment
    WHERE tenant_id = ${tenantId}
      AND professional_id = ANY(${[...professionalIds]}::uuid[])
      AND blocks
      AND tstzrange(block_from, block_until, '[)') && ${within}
    UNION ALL
    SELECT
      professional_id,
      (extract(epoch FROM starts_at) * 1000)::float8 AS from_ms,
      (extract(epoch FROM ends_at) * 1000)::float8 AS until_ms
    FROM busy_block
    WHERE tenant_id = ${tenantId}
      AND (professional_id IS NULL OR professional_id = ANY(${[...professionalIds]}::uuid[]))
      AND tstzrange(starts_at, ends_at, '[)') && ${within}
  `.execute(em.getKysely());
  const busy = new Map<string, TimeRange[]>(professionalIds.map((id) => [id, []]));
  for (const { professional_id, from_ms, until_ms } of rows) {
    const taken = { from: new Date(from_ms), until: new Date(until_ms) };
    for (const id of professional_id === null ? professionalIds : [professional_id])
      busy.get(id)?.push(taken);
  }
  return busy;
}
