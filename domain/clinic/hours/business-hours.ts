import { IANAZone } from 'luxon';
import type { BusinessHours } from './business-hours.schema.ts';
import { businessHoursSchema } from './business-hours.schema.ts';
import { specialHoursSchema, type SpecialHours } from './working-hours.schema.ts';

/** The zone of a clinic that has not set `config.timezone`. */
export const DEFAULT_TIMEZONE = 'Europe/Lisbon';

type Config = Readonly<Record<string, unknown>>;

/** A stored zone, or the default for one that is unknown: a clinic may have stored it before zones were checked. */
export function knownZone(timezone: string | null): string {
  return timezone !== null && IANAZone.isValidZone(timezone) ? timezone : DEFAULT_TIMEZONE;
}

export function timezoneOf({ timezone }: Config): string {
  return typeof timezone === 'string' ? timezone : DEFAULT_TIMEZONE;
}

/** A clinic's opening hours: docs/clinic-settings.md#business-hours */
export interface ClinicHours {
  zone: string;
  /** The clinic's hours; null when it is always open. */
  week: BusinessHours | null;
  special: SpecialHours | null;
}

/**
 * Settings are validated when saved. But a clinic may have stored its own data under `specialHours` before the service
 * used this key. Such data is ignored.
 */
export function clinicHoursOf(config: Config): ClinicHours {
  return {
    zone: timezoneOf(config),
    week: businessHoursSchema.nullish().parse(config['businessHours']) ?? null,
    special: specialHoursSchema.safeParse(config['specialHours']).data ?? null,
  };
}
