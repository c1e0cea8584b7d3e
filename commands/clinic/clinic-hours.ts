import { openRanges, timezoneOf } from '../../domain/clinic/business-hours.ts';
import { businessHoursSchema } from '../../domain/clinic/business-hours.schema.ts';
import type { TimeRange } from '../../domain/appointments/slot.ts';

/** When a clinic is open within `range`, by its `config`. Settings are checked when they are saved. */
export function clinicOpenRanges(config: Record<string, unknown>, range: TimeRange): TimeRange[] {
  const hours = businessHoursSchema.nullish().parse(config['businessHours']) ?? null;
  return openRanges(hours, timezoneOf(config), range);
}
