import { z } from 'zod';

const time = z
  .string()
  .regex(
    /^(([01]\d|2[0-3]):[0-5]\d|24:00)$/,
    'must be a time of day, for example 09:00, or 24:00 for midnight at the end of the day',
  );
export const opening = z
  .tuple([time, time])
  .refine(([opens, closes]) => opens < closes, 'must open before it closes');
const day = z
  .array(opening)
  .max(10)
  .optional()
  .describe(
    'At most ten pairs of opening and closing times, for example `["09:00", "13:00"]`. `24:00` is midnight at the end of the day.',
  );

export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

/** An object with one field for each weekday. */
export function weekOf<Day extends z.ZodType>(day: Day) {
  return z.strictObject({ mon: day, tue: day, wed: day, thu: day, fri: day, sat: day, sun: day });
}

/**
 * `config.businessHours` as stored, possibly with overlapping openings; input must not overlap
 * (working-hours.schema.ts).
 */
export const businessHoursSchema = weekOf(day);
export type BusinessHours = z.infer<typeof businessHoursSchema>;
