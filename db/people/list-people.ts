import { PersonEntity, type PersonRow } from '../entities/person.entity.ts';
import type { EntityManager } from '../connection/open-database.ts';

/** Who has signed in, the last to do so first. @param tenantId null: the service's own support; undefined: everybody */
export function listPeople(em: EntityManager, tenantId: string | null | undefined): Promise<PersonRow[]> {
  const whose = tenantId === undefined ? {} : { tenantId };
  return em.find(PersonEntity, whose, { orderBy: { signedInAt: 'desc', id: 'asc' } });
}
