import { AsyncLocalStorage } from 'node:async_hooks';
import { isUuid } from '../../domain/row-id.ts';

/** Names the clinics whose rows a session of the role `clinic_tenant` sees: db/migrations/clinic-walls.ts */
export const CLINICS_IN_REACH = 'app.tenant_ids';

const reach = new AsyncLocalStorage<string>();

/**
 * Runs `work`, whose connections of the pool `clinics` see the rows of these clinics and no others. Whoever asks for such a
 * connection outside of it gets none.
 */
export function withinClinics<T>(tenantIds: Iterable<string>, work: () => T): T {
  return reach.run(toArray([...new Set(tenantIds)]), work);
}

/** The clinics within reach, as PostgreSQL writes an array. */
export function clinicsInReach(): string {
  const clinics = reach.getStore();
  if (clinics === undefined) throw new Error('no clinic is named whose rows this may see');
  return clinics;
}

/** It stands in the text of a statement, too. */
function toArray(tenantIds: readonly string[]): string {
  for (const id of tenantIds) if (!isUuid(id)) throw new TypeError('a clinic is named by its id');
  return `{${tenantIds.join(',')}}`;
}
