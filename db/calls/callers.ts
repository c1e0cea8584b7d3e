import { sql } from 'kysely';
import type { EntityManager } from '../connection/open-database.ts';

/** Who calls from a phone, as far as the clinic's appointments tell. */
export interface Caller {
  /** Of the latest patients with that phone, the latest first; a family shares one. */
  names: string[];
  /** The next appointment that stands; null: there is none. */
  next: { id: string; startsAt: Date } | null;
}

/** A family with more members is named by the latest. */
const MOST_NAMES = 2;
const LATEST_VISITS = 20;

interface CallerRow {
  hash: string;
  names: string[];
  nextId: string | null;
  nextAtMs: number | null;
}

/** Those of the callers who have or had an appointment, by the hash of their phone. */
export async function findCallers(
  em: EntityManager,
  tenantId: string,
  hashes: readonly string[],
  now: Date,
): Promise<Map<string, Caller>> {
  const { rows } = await sql<CallerRow>`
    SELECT
      caller.hash,
      visit.names,
      next.id AS "nextId",
      (extract(epoch FROM next.starts_at) * 1000)::float8 AS "nextAtMs"
    FROM unnest(${[...new Set(hashes)]}::text[]) AS caller (hash)
    CROSS JOIN LATERAL (
      SELECT array_agg(patient_name) AS names
      FROM (
        SELECT patient_name
        FROM appointment
        WHERE tenant_id = ${tenantId}
          AND patient_phone_hash = caller.hash
        ORDER BY starts_at DESC
        LIMIT ${LATEST_VISITS}
      ) AS latest
    ) AS visit
    LEFT JOIN LATERAL (
      SELECT id, starts_at
      FROM appointment
      WHERE tenant_id = ${tenantId}
        AND patient_phone_hash = caller.hash
        AND status = 'confirmed'
        AND starts_at >= ${now}
      ORDER BY starts_at
      LIMIT 1
    ) AS next ON true
    WHERE visit.names IS NOT NULL
  `.execute(em.getKysely());
  return new Map(rows.map((row) => [row.hash, toCaller(row)]));
}

function toCaller({ names, nextId, nextAtMs }: CallerRow): Caller {
  return {
    names: [...new Set(names)].slice(0, MOST_NAMES),
    next: nextId === null || nextAtMs === null ? null : { id: nextId, startsAt: new Date(nextAtMs) },
  };
}
