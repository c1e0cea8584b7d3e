import { findBusyRanges } from '../../db/appointments/busy-ranges.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { freeSlots, type FreeSlot, type ServiceLength } from '../../domain/appointments/availability.ts';
import type { TimeRange } from '../../domain/appointments/slot.ts';
import { openRanges, timezoneOf } from '../../domain/clinic/business-hours.ts';
import { businessHoursSchema } from '../../domain/clinic/business-hours.schema.ts';

/** The longest that one booking can reach beyond the start of its slot: a day of service and a day of buffer. */
const LONGEST_BLOCK_MS = 2 * 86_400_000;

export interface SlotQuestion {
  tenantId: string;
  tenantConfig: Record<string, unknown>;
  professionalIds: readonly string[];
  service: ServiceLength;
  range: TimeRange;
}

/** The free slots of the professionals that start within the range and after `now`, by start, then by professional. */
export async function findFreeSlots(
  em: EntityManager,
  { tenantId, tenantConfig, professionalIds, service, range }: SlotQuestion,
  now: Date,
): Promise<Iterable<FreeSlot>> {
  if (range.until <= range.from || professionalIds.length === 0) return [];
  // The last slot of the range may reach beyond it, and so may its opening.
  const until = new Date(range.until.getTime() + LONGEST_BLOCK_MS);
  const busy = await findBusyRanges(em, tenantId, professionalIds, { from: range.from, until });
  // Settings are checked when they are saved.
  const hours = businessHoursSchema.nullish().parse(tenantConfig['businessHours']) ?? null;
  const open = openRanges(hours, timezoneOf(tenantConfig), range);
  return freeSlots(open, busy, service, range, now);
}
