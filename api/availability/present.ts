import type { Slot } from '../../domain/appointments/slot.ts';

/** By start, then professional. */
export function presentFreeSlots(calendars: readonly { professionalId: string; slots: readonly Slot[] }[]) {
  const items = calendars.flatMap(({ professionalId, slots }) =>
    slots.map(({ startsAt, endsAt }) => ({
      professionalId,
      startsAt: startsAt.toISOString(),
      endsAt: endsAt.toISOString(),
    })),
  );
  return {
    items: items.sort(
      (a, b) => compare(a.startsAt, b.startsAt) || compare(a.professionalId, b.professionalId),
    ),
  };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
