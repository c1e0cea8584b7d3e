import type { BusinessHours } from './business-hours.schema.ts';
import { businessHoursSchema } from './business-hours.schema.ts';
import { specialHoursSchema, type SpecialHours } from './working-hours.schema.ts';

/** The zone of a clinic that has not set `config.timezone`. */
export const DEFAULT_TIMEZONE = 'Europe/Lisbon';

type Config = Readonly<Record<string, unknown>>;

export function timezoneOf({ timezone }: Config): string {
  return typeof timezone === 'string' ? timezone : DEFAULT_TIMEZONE;
}

/** When a clinic is open: docs/clinic-settings.md#business-hours */
export interface ClinicHours {
  zone: string;
  /** Null: all day, every day. */
  week: BusinessHours | null;
  special: SpecialHours | null;
}

/**
 * Settings are checked when they are saved. A clinic may have kept something else under `specialHours` before the service
 * knew that key: those are no hours.
 */
export function clinicHoursOf(config: Config): ClinicHours {
  return {
    zone: timezoneOf(config),
    week: businessHoursSchema.nullish().parse(config['businessHours']) ?? null,
    special: specialHoursSchema.safeParse(config['specialHours']).data ?? null,
  };
}
