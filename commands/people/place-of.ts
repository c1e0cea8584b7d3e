import { TenantEntity } from '../../db/entities/tenant.entity.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import type { Place } from '../../db/people/sessions.ts';
import type { Identity } from '../../domain/people/identity.ts';
import { toPersonRole } from '../../domain/people/roles.ts';

/** Why somebody whom the provider knows may be nowhere here. */
export type NoPlace = 'unknown_role' | 'unknown_clinic' | 'not_support';

/** Where somebody may be, and as what, by what the provider says of them. */
export async function placeOf(em: EntityManager, identity: Identity): Promise<Place | NoPlace> {
  const role = toPersonRole(identity.role ?? '');
  if (role === null) return 'unknown_role';
  // Every clinic gives its own people roles, and could give this one.
  if (role === 'support') return identity.isOfSupport ? { role, tenantId: null } : 'not_support';
  const tenantId = await clinicOf(em, identity.organisation);
  return tenantId === undefined ? 'unknown_clinic' : { role, tenantId };
}

async function clinicOf(em: EntityManager, organisation: string | null): Promise<string | undefined> {
  // PostgreSQL stores no text with a NUL, so no clinic has such a name.
  if (organisation === null || organisation.includes('\0')) return undefined;
  const clinic = await em.findOne(TenantEntity, {
    identityOrgId: organisation,
    status: { $ne: 'canceled' },
  });
  return clinic?.id;
}
