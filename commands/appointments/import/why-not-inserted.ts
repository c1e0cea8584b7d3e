import { findTakenExternalIds } from '../../../db/appointments/find-appointment.ts';
import type { EntityManager } from '../../../db/connection/open-database.ts';
import { fieldError, type ServiceError } from '../../../domain/service-error.ts';
import { externalIdConflict } from '../booking-conflict.ts';
import type { Visit } from './visit.ts';

const TAKEN = 'Another patient already has this time with this professional.';

/** Of visits that the database did not take: somebody has made an appointment of that id just now, or the slot is taken. */
export async function whyNotInserted(
  em: EntityManager,
  tenantId: string,
  visits: readonly Visit[],
): Promise<Map<Visit, ServiceError>> {
  if (visits.length === 0) return new Map();
  const taken = await findTakenExternalIds(
    em,
    tenantId,
    visits.map(({ externalId }) => externalId),
  );
  return new Map(
    visits.map((visit) => [
      visit,
      taken.has(visit.externalId)
        ? externalIdConflict()
        : fieldError('body.startsAt', TAKEN, 'slot_conflict'),
    ]),
  );
}
