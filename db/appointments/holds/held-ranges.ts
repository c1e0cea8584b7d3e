import type { HeldMs } from '../../../domain/appointments/with-hold.ts';
import { rowsOf, type EntityManager } from '../../connection/statements.ts';
import type { BusyQuestion } from '../busy-ranges.ts';
import { IS_LIVE_HOLD } from './hold-columns.ts';

/** What each of the professionals' time is held within `range`, by professional id; without those of whom none is. */
export async function findHeldRanges(
  em: EntityManager,
  { tenantId, professionalIds, range }: BusyQuestion,
): Promise<Map<string, HeldMs[]>> {
  const rows = await rowsOf<HeldMs & { professionalId: string }>(em)`
    SELECT
      professional_id AS "professionalId",
      (extract(epoch FROM block_from) * 1000)::bigint::float8 AS "fromMs",
      (extract(epoch FROM block_until) * 1000)::bigint::float8 AS "untilMs",
      (extract(epoch FROM hold_expires_at) * 1000)::bigint::float8 AS "expiresMs"
    FROM calendar_entry
    WHERE tenant_id = ${tenantId}
      AND professional_id = ANY(${[...professionalIds]}::uuid[])
      AND tstzrange(block_from, block_until, '[)') && tstzrange(${range.from}, ${range.until}, '[)')
      AND ${IS_LIVE_HOLD}
  `;
  return Map.groupBy(rows, ({ professionalId }) => professionalId);
}
