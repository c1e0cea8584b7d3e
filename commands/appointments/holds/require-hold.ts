import { findLiveHold } from '../../../db/appointments/holds/find-hold.ts';
import type { EntityManager } from '../../../db/connection/open-database.ts';
import type { SlotHold } from '../../../domain/appointments/slot-hold.ts';
import { notFound } from '../../../domain/service-error.ts';

/** @throws ServiceError `not_found`, also when the hold is over */
export async function requireHold(em: EntityManager, tenantId: string, id: string): Promise<SlotHold> {
  const hold = await findLiveHold(em, tenantId, id);
  if (!hold) throw notFound('hold', id);
  return hold;
}
