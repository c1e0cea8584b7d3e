import { lineText } from '../text/bounded-text.schema.ts';
import type { TimeRange } from '../appointments/slot.ts';

const MAX_DAYS = 366;
const MAX_MS = MAX_DAYS * 86_400_000;

/** What a busy block is for. */
export const blockTitle = lineText({ max: 200 });

/** Why the end is invalid; null when it is valid. docs/availability.md#busy-blocks */
export function problemOfBlockEnd({ from, until }: TimeRange): string | null {
  if (until <= from) return 'must be after `startsAt`';
  const isTooLong = until.getTime() - from.getTime() > MAX_MS;
  return isTooLong ? `must be at most ${MAX_DAYS} days after \`startsAt\`` : null;
}
