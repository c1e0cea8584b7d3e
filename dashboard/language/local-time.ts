import { DateTime } from 'luxon';

/** What a field for date and time holds, `2026-03-05T10:30`, in the zone of the clinic; null when it is none. */
export function readLocalTime(text: string, zone: string): Date | null {
  const local = DateTime.fromISO(text, { zone });
  return local.isValid ? local.toJSDate() : null;
}
