import { z } from 'zod';
import { PersonEntity, type PersonRow } from '../entities/people/person.entity.ts';
import { rowsOf, type EntityManager } from '../connection/statements.ts';
import { PortalLinkEntity } from '../entities/portal-link.entity.ts';
import { SessionEntity } from '../entities/people/session.entity.ts';

/** The people who have signed in, latest first. @param tenantId null: support staff; undefined: everyone */
export function listPeople(em: EntityManager, tenantId: string | null | undefined): Promise<PersonRow[]> {
  const whose = tenantId === undefined ? {} : { tenantId };
  return em.find(PersonEntity, whose, { orderBy: { signedInAt: 'desc', id: 'asc' } });
}

const NAMED = /^(?:person|key):([0-9a-f-]{36})$/;

const NAMED_ACTOR = z.object({ actor: z.string(), name: z.string() });

/** The names of actors (the clinic's users, support staff, and the clinic's API keys), by actor. */
export async function findActorNames(
  em: EntityManager,
  tenantId: string,
  actors: readonly (string | null)[],
): Promise<Map<string, string>> {
  const ids = new Set(actors.map((actor) => NAMED.exec(actor ?? '')?.[1]).filter((id) => id !== undefined));
  if (ids.size === 0) return new Map();
  const wanted = [...ids];
  const rows = await rowsOf(em, NAMED_ACTOR)`
    SELECT 'person:' || id AS actor, name FROM person
    WHERE (tenant_id = ${tenantId} OR tenant_id IS NULL) AND id = ANY(${wanted}::uuid[])
    UNION ALL
    SELECT 'key:' || id, name FROM api_key
    WHERE tenant_id = ${tenantId} AND id = ANY(${wanted}::uuid[])
  `;
  return new Map(rows.map(({ actor, name }) => [actor, name]));
}

/** Deletes the clinic's dashboard users with their sessions and portal links. Returns the number of users. */
export async function erasePeople(em: EntityManager, tenantId: string): Promise<number> {
  await em.nativeDelete(SessionEntity, { tenantId });
  await em.nativeDelete(PortalLinkEntity, { tenantId });
  return em.nativeDelete(PersonEntity, { tenantId });
}
