import { z } from 'zod';
import { lineText, text } from '../bounded-text.schema.ts';
import { businessHoursSchema } from './hours/business-hours.schema.ts';
import { specialHoursSchema, workingHoursSchema } from './hours/working-hours.schema.ts';

const ZONE_FORM = /^[A-Za-z]+(\/[A-Za-z0-9_+-]+)*$/;

/** An IANA zone name; offsets such as +01:00 are none. */
export const timezoneSchema = z
  .string()
  .refine(isZone, 'must be an IANA time zone, for example Europe/Lisbon')
  .meta({ pattern: ZONE_FORM.source });

const VOICE = 'The name of the receptionist’s voice, at most 200 characters.';
const VOICE_SPEED = 'How fast it speaks, from 0.5 to 2; 1 is normal.';
const GREETING = 'What the receptionist says first, at most 2000 characters.';
const TIMEZONE = 'An IANA name such as `Europe/Lisbon`, which counts when there is none.';
const BUSINESS_HOURS =
  'When the clinic is open, in its zone. A weekday left out is closed; without any the clinic is open all day, every day.';

const SPECIAL_HOURS =
  'When the clinic is open on some dates instead of the hours of their weekday, such as `{ "2026-12-25": [], "2026-12-24": [["09:00", "12:00"]] }`; at most 400 dates.';

const RETENTION =
  'How many days what was said in calls is kept, and recordings of them, 1 to 36500; null or left out: until they are erased.';

const SELF_SERVICE =
  'What patients may book by themselves at `/book/{publicSlug}`, while `publicBookingEnabled`.';

const days = z.int().min(1).max(36_500).nullable();

/** The keys of `config` that the service knows; a clinic may keep any others: docs/clinic-settings.md#config */
export const tenantConfigSchema = z
  .object({
    voice: lineText({ max: 200 }).describe(VOICE),
    voiceSpeed: z.number().min(0.5).max(2).describe(VOICE_SPEED),
    greeting: text({ max: 2000 }).describe(GREETING),
    timezone: timezoneSchema.describe(TIMEZONE),
    fallbackHumanNumber: lineText({ max: 100 })
      .nullable()
      .describe('Where the receptionist hands a call over to, at most 100 characters; null for nobody.'),
    businessHours: businessHoursSchema.describe(BUSINESS_HOURS),
    specialHours: specialHoursSchema.describe(SPECIAL_HOURS),
    retention: z
      .strictObject({
        transcriptDays: days.describe('Transcripts, and what tools were told and said.'),
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
          .describe('A visit begins no sooner than so many minutes from now, 0 to 43200; 60 unless told.'),
        maxDaysAhead: z
          .int()
          .min(1)
          .max(365)
          .describe('A visit begins no later than so many days from today, 1 to 365; 60 unless told.'),
        serviceTypeIds: z
          .array(z.guid().toLowerCase())
          .max(200)
          .describe('Only these services, 200 at most; every active one when left out.'),
      })
      .partial()
      .describe(SELF_SERVICE),
  })
  .partial()
  .catchall(z.unknown());

const { voice, voiceSpeed, greeting, timezone, specialHours, retention, selfService } =
  tenantConfigSchema.shape;

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
});
export type TenantConfigPatch = z.infer<typeof tenantConfigPatchSchema>;

function isZone(name: string): boolean {
  if (!ZONE_FORM.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone.length > 0;
  } catch {
    // How Intl says that there is no such zone.
    return false;
  }
}
