import { isExternalIdTaken } from '../../db/appointments/find-appointment.ts';
import { findLiveHold } from '../../db/appointments/holds/find-hold.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { findAlternatives, type Alternative, type WantedSlot } from './free-times/alternatives.ts';

/** Why the database took no new appointment: its external id or its slot belongs to another one, or its hold ended too soon. */
export async function bookingConflict(
  em: EntityManager,
  wanted: WantedSlot & { externalId: string | null; holdId?: string | undefined },
  now: Date,
): Promise<ServiceError> {
  const { tenantId, externalId, holdId } = wanted;
  const isIdTaken = externalId !== null && (await isExternalIdTaken(em, tenantId, externalId, null));
  if (isIdTaken) return externalIdConflict();
  const isHoldOver = holdId !== undefined && !(await findLiveHold(em, tenantId, holdId));
  return (isHoldOver ? holdExpired : slotConflict)(await findAlternatives(em, wanted, now));
}

export function externalIdConflict(): ServiceError {
  return new ServiceError('external_id_conflict', 'Another appointment of the clinic has this externalId.', {
    errors: [{ path: 'body.externalId', message: 'is already in use' }],
  });
}

export function slotConflict(alternatives: Alternative[]): ServiceError {
  return new ServiceError(
    'slot_conflict',
    'Another patient already has this time with this professional, or somebody holds it.',
    { extras: { alternatives } },
  );
}

function holdExpired(alternatives: Alternative[]): ServiceError {
  return new ServiceError('hold_expired', 'The hold is over, and somebody else has the time now.', {
    extras: { alternatives },
  });
}

/** Nobody is in the way, but clinic or professional do not work then. */
export async function outsideHours(em: EntityManager, wanted: WantedSlot, now: Date): Promise<ServiceError> {
  return new ServiceError('outside_hours', 'The clinic or this professional does not work at this time.', {
    extras: { alternatives: await findAlternatives(em, wanted, now) },
  });
}
