import { z } from 'zod';
import { opening } from './business-hours.schema.ts';

/** A year of them and some more: docs/limits.md */
const MOST_DATES = 400;

/** Of one day. */
export const openingsOfDay = z
  .array(opening)
  .max(10)
  .refine(followEachOther, 'must be in the order of time, and none may overlap the next')
  .describe('At most ten pairs of opening and closing time, in their order and without overlap; none: off.');

/** A professional's week, in the clinic's zone; a weekday left out is off: docs/clinic-settings.md#working-hours */
export const workingHoursSchema = z
  .strictObject({
    mon: openingsOfDay,
    tue: openingsOfDay,
    wed: openingsOfDay,
    thu: openingsOfDay,
    fri: openingsOfDay,
    sat: openingsOfDay,
    sun: openingsOfDay,
  })
  .partial();
export type WorkingHours = z.infer<typeof workingHoursSchema>;

export const specialDate = z.iso.date('must be a date that exists, such as 2026-12-24');

/** What replaces the week on some dates of the clinic's zone: docs/clinic-settings.md#special-hours */
export const specialHoursSchema = z
  .record(specialDate, openingsOfDay)
  .refine((dates) => Object.keys(dates).length <= MOST_DATES, `must have at most ${MOST_DATES} dates`)
  .meta({ maxProperties: MOST_DATES });
export type SpecialHours = z.infer<typeof specialHoursSchema>;

function followEachOther(all: readonly (readonly [opens: string, closes: string])[]): boolean {
  return all.every(([opens], at) => at === 0 || (all[at - 1]?.[1] ?? '') <= opens);
}
