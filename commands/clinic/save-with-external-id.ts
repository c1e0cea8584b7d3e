import type { EntityManager } from '../../db/connection/open-database.ts';
import { violates } from '../../db/connection/database-errors.ts';
import { ServiceError } from '../../domain/service-error.ts';

/** Saves changes. @throws ServiceError `external_id_conflict` when another row of the clinic has the external ID */
export async function saveWithExternalId(em: EntityManager, what: 'professional' | 'service'): Promise<void> {
  try {
    await em.flush();
  } catch (error) {
    if (!violates(error, `${what}_external_id`)) throw error;
    throw new ServiceError(
      'external_id_conflict',
      `Another ${what} of the clinic already has this \`externalId\`.`,
      {
        errors: [{ path: 'body.externalId', message: 'is already in use' }],
      },
    );
  }
}

type With<Fields, Name extends keyof Fields> = Fields & { [N in Name]-?: Exclude<Fields[N], undefined> };

/** @throws ServiceError `validation_failed` with every required field that is missing */
export function requireFields<Fields extends object, Name extends keyof Fields & string>(
  fields: Fields,
  needed: readonly Name[],
): asserts fields is With<Fields, Name> {
  const missing = needed.filter((name) => fields[name] === undefined);
  if (missing.length === 0) return;
  const errors = missing.map((name) => ({ path: `body.${name}`, message: 'is required' }));
  const message = `Nothing has this \`externalId\` yet. To create it, send ${missing.join(' and ')}.`;
  throw new ServiceError('validation_failed', message, { errors });
}
