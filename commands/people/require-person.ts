import { PersonEntity, type PersonRow } from '../../db/entities/person.entity.ts';
import { lockRow } from '../../db/connection/locks/lock-row.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { notFound } from '../../domain/service-error.ts';

/** Held until the transaction ends. Errors: `not_found`. */
export async function requirePerson(em: EntityManager, id: string): Promise<PersonRow> {
  const person = await lockRow(em, PersonEntity, { id });
  if (!person) throw notFound('person', id);
  return person;
}
