import { z } from 'zod';
import { isSameName } from '../../domain/patients/plain-name.ts';
import { columnsOf } from '../connection/columns.ts';
import { rowsOf, type EntityManager } from '../connection/statements.ts';
import { openRows } from '../encryption/field-seal.ts';

/** The patients who call from a phone, according to the clinic's appointments. */
export interface Caller {
  /** The latest patients with this phone, latest first. A family may share a phone. */
  names: string[];
  /** The next valid appointment; null when there is none. */
  next: { id: string; startsAt: Date } | null;
}

/** How many patients are named for a shared phone. */
const MAX_NAMES = 2;
const LATEST_VISITS = 20;

const CALLER_ROW = z.object({
  hash: z.string(),
  /** The encrypted names, each with the ID of its appointment. */
  names: z.array(z.tuple([z.string(), columnsOf('appointment', 'patientName').shape.patientName])),
  nextId: z.string().nullable(),
  nextAt: z.date().nullable(),
});
type CallerRow = z.infer<typeof CALLER_ROW>;

/** The callers that have or had an appointment, by the hash of their phone. */
export async function findCallers(em: EntityManager, tenantId: string, hashes: readonly string[], now: Date) {
  const rows = await rowsOf(em, CALLER_ROW)`
    SELECT caller.hash, visit.names, next.id AS next_id, next.starts_at AS next_at
    FROM unnest(${[...new Set(hashes)]}::text[]) AS caller (hash)
    CROSS JOIN LATERAL (
      SELECT json_agg(json_build_array(id, patient_name)) AS names
      FROM (
        SELECT id, patient_name
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
  `;
  const callers = new Map<string, Caller>();
  for (const row of rows) callers.set(row.hash, toCaller(row, await namesIn(em, tenantId, row)));
  return callers;
}

async function namesIn(em: EntityManager, tenantId: string, { names }: CallerRow): Promise<string[]> {
  const sealed = names.map(([id, patientName]) => ({ tenantId, id, patientName }));
  const opened = await openRows(em, 'appointment', sealed);
  return opened.flatMap(({ patientName }) => patientName ?? []);
}

function toCaller({ nextId: id, nextAt: startsAt }: CallerRow, names: readonly string[]): Caller {
  return {
    names: latestSpellings(names).slice(0, MAX_NAMES),
    next: id === null || startsAt === null ? null : { id, startsAt },
  };
}

/** @param names the latest first */
function latestSpellings(names: readonly string[]): string[] {
  return names.filter((name, at) => names.findIndex((other) => isSameName(name, other)) === at);
}
