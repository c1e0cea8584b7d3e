import type { SlotHold } from '../../domain/appointments/slot-hold.ts';

export function presentHold(hold: SlotHold) {
  const { id, professionalId, serviceTypeId, startsAt, endsAt, expiresAt, callId, createdAt } = hold;
  return {
    id,
    professionalId,
    serviceTypeId,
    startsAt: startsAt.toISOString(),
    endsAt: endsAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    callId,
    createdAt: createdAt.toISOString(),
  };
}
