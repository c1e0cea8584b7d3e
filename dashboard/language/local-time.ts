import { DateTime } from 'luxon';
import type { TimeRange } from '../../domain/appointments/slot.ts';

const FORM = /^(19|2\d)\d{2}-\d{2}-\d{2}T\d{2}:\d{2}$/;

/** What a field for date and time holds, `2026-03-05T10:30`, in the zone of the clinic; null when it is none. */
export function readLocalTime(text: string, zone: string): Date | null {
  const local = DateTime.fromISO(text, { zone });
  return local.isValid ? local.toJSDate() : null;
}

/**
 * From one such time to another, each null when it is none. Of a time that the clocks show twice the range begins with the
 * first and ends with the last; one that they skip is the instant after the gap.
 */
export function readLocalRange(
  { from, to }: { from: string; to: string },
  zone: string,
): { [End in keyof TimeRange]: Date | null } {
  return { from: occurrencesOf(from, zone)[0] ?? null, until: occurrencesOf(to, zone).at(-1) ?? null };
}

/** Earliest first. */
function occurrencesOf(text: string, zone: string): Date[] {
  const local = FORM.test(text) ? DateTime.fromISO(text, { zone }) : null;
  if (!local?.isValid) return [];
  const instants = local.getPossibleOffsets().map((possible) => possible.toJSDate());
  return instants.toSorted((one, other) => one.getTime() - other.getTime());
}
