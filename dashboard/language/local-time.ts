import { DateTime } from 'luxon';
import type { TimeRange } from '../../domain/appointments/slot.ts';

const FORM = /^(19|2\d)\d{2}-\d{2}-\d{2}T\d{2}:\d{2}$/;

/** Parses a field for date and time, `2026-03-05T10:30`, in the clinic's zone; null when invalid. */
export function readLocalTime(text: string, zone: string): Date | null {
  const local = DateTime.fromISO(text, { zone });
  return local.isValid ? local.toJSDate() : null;
}

/**
 * Parses the start and end of a range, each null when invalid. If a local time occurs twice, the range starts at the
 * first and ends at the last; a skipped time becomes the instant after the gap.
 */
export function readLocalRange(
  { from, to }: { from: string; to: string },
  zone: string,
): { [End in keyof TimeRange]: Date | null } {
  return { from: occurrencesOf(from, zone)[0] ?? null, until: occurrencesOf(to, zone).at(-1) ?? null };
}

/** The instants of a local time, earliest first. */
function occurrencesOf(text: string, zone: string): Date[] {
  const local = FORM.test(text) ? DateTime.fromISO(text, { zone }) : null;
  if (!local?.isValid) return [];
  const instants = local.getPossibleOffsets().map((possible) => possible.toJSDate());
  return instants.toSorted((one, other) => one.getTime() - other.getTime());
}
