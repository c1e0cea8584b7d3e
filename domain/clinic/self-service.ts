import { DateTime } from 'luxon';
import type { TimeRange } from '../appointments/slot.ts';

const STANDARD = { minNoticeMinutes: 60, maxDaysAhead: 60 };
const MINUTE_MS = 60_000;

/** The rules for online booking: docs/self-service.md#rules */
export interface SelfServiceRules {
  /** The minimum time until the start, 0 to 43200 minutes. */
  minNoticeMinutes: number;
  /** How many days ahead patients can book, 1 to 365, counted from today in the clinic's zone. */
  maxDaysAhead: number;
  /** By default, every active service. */
  serviceTypeIds?: readonly string[];
}

/** `config.selfService` with defaults. */
export function selfServiceRules(config: Record<string, unknown>): SelfServiceRules {
  return { ...STANDARD, ...(config['selfService'] as Partial<SelfServiceRules> | null | undefined) };
}

export function isForPatients(serviceTypeId: string, { serviceTypeIds }: SelfServiceRules): boolean {
  return serviceTypeIds === undefined || serviceTypeIds.includes(serviceTypeId);
}

/** The range in which an online booking may start. */
export function bookableByPatients(rules: SelfServiceRules, zone: string, now: Date): TimeRange {
  const lastDay = DateTime.fromJSDate(now, { zone }).plus({ days: rules.maxDaysAhead });
  return {
    from: new Date(now.getTime() + rules.minNoticeMinutes * MINUTE_MS),
    until: lastDay.endOf('day').plus({ milliseconds: 1 }).toJSDate(),
  };
}
