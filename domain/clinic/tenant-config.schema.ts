import { z } from 'zod';
import { lineText, text } from '../text/bounded-text.schema.ts';
import { businessHoursSchema } from './hours/business-hours.schema.ts';
import { specialHoursSchema, workingHoursSchema } from './hours/working-hours.schema.ts';

const ZONE_FORM = /^[A-Za-z]+(\/[A-Za-z0-9_+-]+)*$/;

/** An IANA zone name; offsets such as +01:00 are invalid. */
export const timezoneSchema = z
  .string()
  .refine(isZone, 'must be an IANA time zone, for example Europe/Lisbon')
  .meta({ pattern: ZONE_FORM.source });

const VOICE = 'The voice of the AI receptionist, at most 200 characters.';
const VOICE_SPEED = 'The voice speed, 0.5 to 2. Normal is 1.';
const GREETING = 'The greeting, at most 2000 characters.';
const TIMEZONE = 'An IANA time zone. By default, `Europe/Lisbon`.';
const BUSINESS_HOURS =
  'Weekly opening hours, in the clinic’s time zone. On absent weekdays the clinic is closed. Without opening hours, the clinic is always open.';

const SPECIAL_HOURS =
  'Opening hours on special dates, instead of the weekly hours, for example `{ "2026-12-25": [], "2026-12-24": [["09:00", "12:00"]] }`. At most 400 dates.';

const RETENTION =
  'Days to keep transcripts and recordings, 1 to 36500. New clinics start with 365 and 90. Null or absent: until you delete them.';

const SELF_SERVICE = 'Rules of online booking at `/book/{publicSlug}`, while `publicBookingEnabled` is true.';

const ACKNOWLEDGE_WITHIN =
  'Minutes within which your system must acknowledge each version of an appointment, 5 to 10080. By default, it need not.';

const REMINDERS =
  'When `appointment.reminder_due` is sent, in hours before an appointment: at most 3 numbers of 1 to 336. By default, never.';

const days = z.int().min(1).max(36_500).nullable();

/** The known keys of `config`; a clinic may store others: docs/clinic-settings.md#config */
export const tenantConfigSchema = z
  .object({
    voice: lineText({ max: 200 }).describe(VOICE),
    voiceSpeed: z.number().min(0.5).max(2).describe(VOICE_SPEED),
    greeting: text({ max: 2000 }).describe(GREETING),
    timezone: timezoneSchema.describe(TIMEZONE),
    fallbackHumanNumber: lineText({ max: 100 })
      .nullable()
      .describe(
        'The number that calls are transferred to, at most 100 characters. Null if calls are not transferred.',
      ),
    businessHours: businessHoursSchema.describe(BUSINESS_HOURS),
    specialHours: specialHoursSchema.describe(SPECIAL_HOURS),
    retention: z
      .strictObject({
        transcriptDays: days.describe('Transcripts and summaries, with the input and output of tools.'),
        recordingDays: days.describe('Recordings.'),
      })
      .partial()
      .describe(RETENTION),
    selfService: z
      .strictObject({
        minNoticeMinutes: z
          .int()
          .min(0)
          .max(43_200)
          .describe('Minimum notice in minutes, 0 to 43200. By default, 60.'),
        maxDaysAhead: z
          .int()
          .min(1)
          .max(365)
          .describe('How many days ahead patients can book, 1 to 365. By default, 60.'),
        serviceTypeIds: z
          .array(z.guid().toLowerCase())
          .max(200)
          .describe('The services that patients can book, at most 200. By default, every active one.'),
      })
      .partial()
      .describe(SELF_SERVICE),
    acknowledgeWithinMinutes: z.int().min(5).max(10_080).describe(ACKNOWLEDGE_WITHIN),
    reminders: z
      .strictObject({
        hoursBefore: z
          .array(z.int().min(1).max(336))
          .max(3)
          .describe('Hours before the start, for example `[48, 3]`.'),
      })
      .describe(REMINDERS),
  })
  .partial()
  .catchall(z.unknown());

const {
  voice,
  voiceSpeed,
  greeting,
  timezone,
  specialHours,
  retention,
  selfService,
  acknowledgeWithinMinutes,
  reminders,
} = tenantConfigSchema.shape;

/** A change of `config`: null removes a key, except where null is a value (`fallbackHumanNumber`). */
export const tenantConfigPatchSchema = tenantConfigSchema.extend({
  voice: voice.nullable().describe(VOICE),
  voiceSpeed: voiceSpeed.nullable().describe(VOICE_SPEED),
  greeting: greeting.nullable().describe(GREETING),
  timezone: timezone.nullable().describe(TIMEZONE),
  businessHours: workingHoursSchema.nullish().describe(BUSINESS_HOURS),
  specialHours: specialHours.nullable().describe(SPECIAL_HOURS),
  retention: retention.nullable().describe(RETENTION),
  selfService: selfService.nullable().describe(SELF_SERVICE),
  acknowledgeWithinMinutes: acknowledgeWithinMinutes.nullable().describe(ACKNOWLEDGE_WITHIN),
  reminders: reminders.nullable().describe(REMINDERS),
});
export type TenantConfigPatch = z.infer<typeof tenantConfigPatchSchema>;

function isZone(name: string): boolean {
  if (!ZONE_FORM.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone.length > 0;
  } catch {
    // Intl throws for unknown zones.
    return false;
  }
}
