/**
 * What an appointment may be booked over: other appointments and patients' holds, or everything, as a visit that has
 * ended.
 */
export type BookedOver = 'appointments' | 'everything';

/** @param hasEnded whether it is an imported visit that has ended, which is taken as it was */
export function bookedOver(overlap: boolean | undefined, hasEnded = false): BookedOver | undefined {
  if (hasEnded) return 'everything';
  return overlap ? 'appointments' : undefined;
}

/** The columns by which an appointment takes its professional's time. @param over nothing by default */
export function takingTime({
  takesTime = true,
  over,
  overlap = over === 'appointments',
}: { takesTime?: boolean; over?: BookedOver | undefined; overlap?: boolean } = {}) {
  return {
    overlap,
    blocks: takesTime && over === undefined,
    blocksOver: takesTime && over !== undefined,
  };
}

/** The columns of an appointment that takes no time any more. */
export const TAKES_NO_TIME = { blocks: false, blocksOver: false } as const;
