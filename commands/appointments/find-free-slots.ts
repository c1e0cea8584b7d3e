import { findBusyRanges } from '../../db/appointments/busy-ranges.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { freeSlots, type FreeSlot, type ServiceLength } from '../../domain/appointments/availability.ts';
import type { TimeRange } from '../../domain/appointments/slot.ts';
import { clinicHoursOf } from '../../domain/clinic/business-hours.ts';
import { openRangesWithin, type OwnHours } from '../../domain/clinic/open-ranges.ts';

/** The longest that one booking can reach beyond the start of its slot: a day of service and a day of buffer. */
const LONGEST_BLOCK_MS = 2 * 86_400_000;

export interface BookableProfessional extends OwnHours {
  id: string;
}

export interface SlotQuestion {
  tenantId: string;
  tenantConfig: Record<string, unknown>;
  professionals: readonly BookableProfessional[];
  service: ServiceLength;
  range: TimeRange;
}

/** The free slots of the professionals that start within the range and after `now`, by start, then by professional. */
export async function findFreeSlots(
  em: EntityManager,
  { tenantId, tenantConfig, professionals, service, range }: SlotQuestion,
  now: Date,
): Promise<Iterable<FreeSlot>> {
  if (range.until <= range.from || professionals.length === 0) return [];
  // The last slot of the range may reach beyond it, and so may its opening.
  const until = new Date(range.until.getTime() + LONGEST_BLOCK_MS);
  const ids = professionals.map(({ id }) => id);
  const busy = await findBusyRanges(em, tenantId, ids, { from: range.from, until });
  const openOf = openRangesWithin(clinicHoursOf(tenantConfig), range);
  const calendars = professionals.map((professional) => ({
    professionalId: professional.id,
    open: openOf(professional),
    busy: busy.get(professional.id) ?? [],
  }));
  return freeSlots(calendars, service, range, now);
}
