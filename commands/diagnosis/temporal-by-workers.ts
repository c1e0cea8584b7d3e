import type { EntityManager } from '../../db/connection/open-database.ts';
import { whatWorkersSayOfTemporal } from '../../db/outbox/lease-rows.ts';
import { DegradedError, check, type Check } from './check.ts';

/** Why Temporal is unavailable, for processes without a Temporal connection; null while a worker can reach Temporal. */
export async function whyTemporalIsAway(em: EntityManager): Promise<string | null> {
  const { isReached, awaySince } = await whatWorkersSayOfTemporal(em);
  if (isReached) return null;
  return awaySince === null
    ? 'no worker is running'
    : `no worker has been able to reach Temporal since ${awaySince}`;
}

export function temporalCheckByWorkers(em: EntityManager): Promise<Check> {
  return check('temporal', async () => {
    const reason = await whyTemporalIsAway(em);
    if (reason !== null) throw new DegradedError(reason);
    return 'a worker can reach Temporal';
  });
}
