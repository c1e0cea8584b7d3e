import { sql } from 'kysely';
import type { EntityManager } from '../connection/open-database.ts';

/** Leaves the newest kept forms of a person, `atMost` of them. */
export async function dropSurplusForms(em: EntityManager, personId: string, atMost: number): Promise<void> {
  await sql`
    DELETE FROM kept_form
    WHERE person_id = ${personId}
      AND id <= (
        SELECT id FROM kept_form WHERE person_id = ${personId} ORDER BY id DESC OFFSET ${atMost} LIMIT 1
      )
  `.execute(em.getKysely());
}
