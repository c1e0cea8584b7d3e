import { sql } from 'kysely';
import { ProfessionalEntity } from '../entities/professional.entity.ts';
import { listedByName, type ListedByName } from './page-by-name.ts';
import { run, type EntityManager } from '../connection/statements.ts';

/** The clinic's professionals by name: all, or a page of them. */
export function listProfessionals(em: EntityManager, tenantId: string, wanted: ListedByName = {}) {
  const { where, options } = listedByName(tenantId, wanted);
  return em.find(ProfessionalEntity, where, options);
}

/** A professional, active or not; null when the clinic has no such professional. */
export function findProfessional(em: EntityManager, tenantId: string, id: string) {
  return em.findOne(ProfessionalEntity, { tenantId, id });
}

/** The names of the clinic's professionals with these ids, by id. */
export async function findProfessionalNames(em: EntityManager, tenantId: string, ids: Iterable<string>) {
  const rows = await em.find(ProfessionalEntity, { tenantId, id: { $in: [...ids] } }, { fields: ['name'] });
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/**
 * Locks these professionals of the clinic until the transaction ends, in a fixed order, so that concurrent moves wait
 * instead of deadlocking. `isForOverlap` also keeps others from booking their time, as an appointment that may overlap
 * others requires; it must be the first lock on the professional.
 */
export function lockProfessionals(
  em: EntityManager,
  tenantId: string,
  ids: readonly string[],
  { isForOverlap = false } = {},
) {
  return run(em)`
    SELECT id FROM professional
    WHERE tenant_id = ${tenantId}
      AND id = ANY(${[...ids]}::uuid[])
    ORDER BY id
    ${isForOverlap ? sql`FOR UPDATE` : sql`FOR NO KEY UPDATE`}
  `;
}
