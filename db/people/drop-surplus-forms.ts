import { tables, type EntityManager } from '../connection/statements.ts';

/** Leaves the newest kept forms of a person, `atMost` of them. */
export async function dropSurplusForms(em: EntityManager, personId: string, atMost: number): Promise<void> {
  const db = tables(em);
  const own = db.selectFrom('kept_form').select('id').where('personId', '=', personId).orderBy('id', 'desc');
  const surplus = db.deleteFrom('kept_form').where('personId', '=', personId);
  await surplus.where('id', '<=', own.offset(atMost).limit(1)).execute();
}
