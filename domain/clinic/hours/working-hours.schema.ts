import { z } from 'zod';
import { opening, weekOf } from './business-hours.schema.ts';

/** A little more than a year: docs/limits.md */
const MAX_DATES = 400;

/** The openings of one day. */
export const openingsOfDay = z
  .array(opening)
  .max(10)
  .refine(areApart, 'must not overlap')
  .describe(
    'At most ten pairs of opening and closing times, without overlaps. An empty list means a day off.',
  );

/** A week in the clinic's zone; a missing weekday is off: docs/clinic-settings.md#working-hours */
export const workingHoursSchema = weekOf(openingsOfDay).partial();
export type WorkingHours = z.infer<typeof workingHoursSchema>;

export const specialDate = z.iso.date('must be a valid date, for example 2026-12-24');

/** Dates that replace the week: docs/clinic-settings.md#special-hours */
export const specialHoursSchema = z
  .record(specialDate, openingsOfDay)
  .refine((dates) => Object.keys(dates).length <= MAX_DATES, `must have at most ${MAX_DATES} dates`)
  .meta({ maxProperties: MAX_DATES });
export type SpecialHours = z.infer<typeof specialHoursSchema>;

function areApart(openings: readonly (readonly [opens: string, closes: string])[]): boolean {
  const inOrder = openings.toSorted(([one], [other]) => one.localeCompare(other));
  return inOrder.every(([opens], at) => at === 0 || (inOrder[at - 1]?.[1] ?? '') <= opens);
}
