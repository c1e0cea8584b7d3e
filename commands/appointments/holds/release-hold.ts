import { releaseHold as release } from '../../../db/appointments/holds/release-holds.ts';
import type { EntityManager } from '../../../db/connection/open-database.ts';
import { notFound } from '../../../domain/service-error.ts';

/** Lets a held slot go. @throws ServiceError `not_found`, also when the hold is over */
export async function releaseHold(em: EntityManager, tenantId: string, id: string): Promise<void> {
  if (!(await release(em, tenantId, id))) throw notFound('hold', id);
}
