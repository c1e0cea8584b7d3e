import { sql } from 'kysely';
import type { TenantStatus } from '../../domain/clinic/tenant.ts';
import type { EntityManager } from '../connection/open-database.ts';

/** A clinic as the desk names it. */
export interface DeskClinic {
  id: string;
  name: string;
  status: TenantStatus;
  country: string;
  config: Record<string, unknown>;
}

const COLUMNS = sql`tenant.id, tenant.name, tenant.status, tenant.country, tenant.config`;

/** Those whose name has words that begin so, accents, capitals and order aside, by name; all where there is no word. */
export async function findClinicsByName(
  em: EntityManager,
  words: string,
  limit: number,
): Promise<DeskClinic[]> {
  const { rows } = await sql<DeskClinic>`
    SELECT ${COLUMNS}
    FROM tenant
    WHERE NOT EXISTS (
      SELECT FROM unnest(string_to_array(nullif(plain_words(${words}), ''), ' ')) word
      WHERE NOT starts_with(plain_words(tenant.name), word)
        AND strpos(plain_words(tenant.name), ' ' || word) = 0
    )
    ORDER BY tenant.name, tenant.id
    LIMIT ${limit}
  `.execute(em.getKysely());
  return rows;
}

/** By the id. */
export async function findClinics(
  em: EntityManager,
  ids: readonly string[],
): Promise<Map<string, DeskClinic>> {
  const { rows } = await sql<DeskClinic>`
    SELECT ${COLUMNS} FROM tenant WHERE id = ANY(${[...new Set(ids)]}::uuid[])
  `.execute(em.getKysely());
  return new Map(rows.map((clinic) => [clinic.id, clinic]));
}
