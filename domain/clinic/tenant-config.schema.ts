import { z } from 'zod';
import { text } from '../bounded-text.schema.ts';
import { businessHoursSchema } from './business-hours.schema.ts';

const ZONE_FORM = /^[A-Za-z]+(\/[A-Za-z0-9_+-]+)*$/;

/** An IANA zone name; offsets such as +01:00 are none. */
export const timezoneSchema = z
  .string()
  .refine(isZone, 'must be an IANA time zone such as Europe/Lisbon')
  .meta({ pattern: ZONE_FORM.source });

/** The keys of `config` that the service knows; a clinic may keep any others: docs/clinic-settings.md#config */
export const tenantConfigSchema = z
  .object({
    voice: text({ max: 200 }),
    voiceSpeed: z.number().min(0.5).max(2),
    greeting: text({ max: 2000 }),
    timezone: timezoneSchema,
    fallbackHumanNumber: text({ max: 100 }).nullable(),
    businessHours: businessHoursSchema,
  })
  .partial()
  .catchall(z.unknown());

const { voice, voiceSpeed, greeting, timezone, businessHours } = tenantConfigSchema.shape;

/** A change of `config`: null removes a key, except where null is a value (`fallbackHumanNumber`). */
export const tenantConfigPatchSchema = tenantConfigSchema.extend({
  voice: voice.nullable(),
  voiceSpeed: voiceSpeed.nullable(),
  greeting: greeting.nullable(),
  timezone: timezone.nullable(),
  businessHours: businessHours.nullable(),
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
