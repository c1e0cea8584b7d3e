import { sql, type RawBuilder } from 'kysely';
import { rowsOf, tables, type EntityManager, type RowOf } from '../connection/statements.ts';
import { isNumbered } from '../patients/is-numbered.ts';

export type FoundAppointment = RowOf<'appointment', 'id' | 'tenantId' | 'status' | 'startsAt'>;

/** The appointments that a PMS calls so, or whose patient it calls so, capitals aside, in whatever clinic, the latest first. */
export function findByExternalId(em: EntityManager, externalId: string, limit: number) {
  return findInEach(em, sql`(SELECT id FROM tenant) clinic`, isNumbered(externalId), limit);
}

/** The appointments of those who have this phone. @param phones its hash in each clinic where it is to be looked for */
export function findByPhone(
  em: EntityManager,
  phones: readonly { tenantId: string; hash: string }[],
  limit: number,
): Promise<FoundAppointment[]> {
  const clinics = sql`
    unnest(${phones.map(({ tenantId }) => tenantId)}::uuid[], ${phones.map(({ hash }) => hash)}::text[]) clinic (id, hash)
  `;
  return findInEach(em, clinics, sql<boolean>`patient_phone_hash = clinic.hash`, limit);
}

/** @param clinics as `clinic`, with an `id` */
function findInEach(
  em: EntityManager,
  clinics: RawBuilder<unknown>,
  fits: RawBuilder<boolean>,
  limit: number,
) {
  return rowsOf<FoundAppointment>(tables(em))`
    SELECT found.id, clinic.id AS tenant_id, found.status, found.starts_at
    FROM ${clinics}
    CROSS JOIN LATERAL (
      -- Materialised, or PostgreSQL might walk through all appointments of a clinic in which none fits.
      WITH fitting AS MATERIALIZED (
        SELECT id, status, starts_at FROM appointment WHERE tenant_id = clinic.id AND ${fits}
      )
      SELECT * FROM fitting ORDER BY starts_at DESC, id DESC LIMIT ${limit}
    ) found
    ORDER BY found.starts_at DESC, found.id DESC
    LIMIT ${limit}
  `;
}
