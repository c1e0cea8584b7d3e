import type { FreeSlot } from '../../domain/appointments/availability.ts';

export function presentFreeSlot({ professionalId, startsAt, endsAt, heldUntil }: FreeSlot) {
  return {
    professionalId,
    startsAt: startsAt.toISOString(),
    endsAt: endsAt.toISOString(),
    ...(heldUntil && { heldUntil: heldUntil.toISOString() }),
  };
}
