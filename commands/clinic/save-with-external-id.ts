import type { EntityManager } from '../../db/connection/open-database.ts';
import { violates } from '../../db/connection/unique-violation.ts';
import { ServiceError } from '../../domain/service-error.ts';

/** Writes what has changed. @throws ServiceError `external_id_conflict` when another one of the clinic has the external id */
export async function saveWithExternalId(em: EntityManager, what: 'professional' | 'service'): Promise<void> {
  try {
    await em.flush();
  } catch (error) {
    if (!violates(error, `${what}_external_id`)) throw error;
    throw new ServiceError('external_id_conflict', `Another ${what} of the clinic has this externalId.`, {
      errors: [{ path: 'body.externalId', message: 'is already in use' }],
    });
  }
}
