import type { ClinicHours } from './business-hours.ts';
import { openRangesWithin } from './open-ranges.ts';

export interface OpeningNow {
  open: boolean;
  /** Null while open, and when the clinic does not open within a year. */
  nextOpeningAt: Date | null;
}

const OF_THE_CLINIC = { workingHours: null, specialHours: null };

const DAY_MS = 86_400_000;
/** The next opening is nearly always within a week, and days are cheap to look at one by one. */
const DAYS_AT_ONCE = 8;
const MAX_DAYS = 366;

/** Whether a clinic is open, and if not, when it opens next. */
export function openingAt(clinic: ClinicHours, now: Date): OpeningNow {
  if (opensNever(clinic)) return { open: false, nextOpeningAt: null };
  for (let day = 0; day < MAX_DAYS; day += DAYS_AT_ONCE) {
    const from = new Date(now.getTime() + day * DAY_MS);
    const until = new Date(from.getTime() + DAYS_AT_ONCE * DAY_MS);
    for (const opening of openRangesWithin(clinic, { from, until })(OF_THE_CLINIC)) {
      if (opening.from <= now && now < opening.until) return { open: true, nextOpeningAt: null };
      if (opening.from > now) return { open: false, nextOpeningAt: opening.from };
    }
  }
  return { open: false, nextOpeningAt: null };
}

function opensNever({ week, special }: ClinicHours): boolean {
  if (week === null) return false;
  return [...Object.values(week), ...Object.values(special ?? {})].every((openings) => openings.length === 0);
}
