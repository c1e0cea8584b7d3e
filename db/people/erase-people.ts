import type { EntityManager } from '../connection/open-database.ts';
import { PersonEntity } from '../entities/person.entity.ts';
import { PortalLinkEntity } from '../entities/portal-link.entity.ts';
import { SessionEntity } from '../entities/session.entity.ts';

/** Forgets who has signed in to the clinic, and every way in that is still open. Returns how many people; they are few. */
export async function erasePeople(em: EntityManager, tenantId: string): Promise<number> {
  await em.nativeDelete(SessionEntity, { tenantId });
  await em.nativeDelete(PortalLinkEntity, { tenantId });
  return em.nativeDelete(PersonEntity, { tenantId });
}
