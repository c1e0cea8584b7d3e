import type { BusinessHours } from './business-hours.schema.ts';
import { businessHoursSchema } from './business-hours.schema.ts';
import { specialHoursSchema, type SpecialHours } from './working-hours.schema.ts';

/** The zone of a clinic that has not set `config.timezone`. */
export const DEFAULT_TIMEZONE = 'Europe/Lisbon';

type Config = Readonly<Record<string, unknown>>;

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
