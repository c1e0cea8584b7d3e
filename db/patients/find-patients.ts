import { sql } from 'kysely';
import { z } from 'zod';
import { columnsOf } from '../connection/columns.ts';
import { rowsOf, type EntityManager } from '../connection/statements.ts';
import { findLatestPatients, type LatestPatient, type SoughtPatients } from './latest-patients.ts';
import { PATIENT_KEY } from './patient-key.ts';

export interface AskedPatients extends SoughtPatients {
  now: Date;
}

const VISIT_OF_FOUND = columnsOf('appointment', 'id', 'startsAt', 'endsAt', 'status').extend({
  professionalName: z.string(),
  serviceName: z.string().nullable(),
});
export type VisitOfFound = z.infer<typeof VISIT_OF_FOUND>;

export interface FoundPatient extends LatestPatient {
  /** Upcoming, earliest first. */
  next: VisitOfFound[];
  /** Past or cancelled, latest first. */
  earlier: VisitOfFound[];
}

const VISITS_EACH_WAY = 3;
const DAY_MS = 86_400_000;

const VISIT_ROW = VISIT_OF_FOUND.extend({ nr: z.number(), isNext: z.boolean() });

/** The clinic's matching patients, those with the latest last appointment first. */
export async function findPatients(em: EntityManager, asked: AskedPatients): Promise<FoundPatient[]> {
  const found = await findLatestPatients(em, asked);
  if (found.length === 0) return [];
  const { tenantId } = asked;
  const keys = found.map(({ key }, nr) => ({ nr, key }));
  const visits = await rowsOf(em, VISIT_ROW)`
    SELECT
      found.nr, visit.is_next, visit.id, visit.status, visit.starts_at, visit.ends_at,  professional.name AS professional_name, service.name AS service_name
    FROM json_to_recordset(${JSON.stringify(keys)}::json) AS found (nr integer, key text)
    CROSS JOIN LATERAL (${visitsOf(asked)}) visit
    JOIN professional ON professional.tenant_id = ${tenantId} AND professional.id = visit.professional_id
    LEFT JOIN service_type service ON service.tenant_id = ${tenantId} AND service.id = visit.service_type_id
  `;
  return found.map((patient, at) => {
    const own = visits
      .filter(({ nr }) => nr === at)
      .toSorted((one, other) => +one.startsAt - +other.startsAt);
    return {
      ...patient,
      next: own.filter(({ isNext }) => isNext).slice(0, VISITS_EACH_WAY),
      earlier: own
        .filter(({ isNext }) => !isNext)
        .toReversed()
        .slice(0, VISITS_EACH_WAY),
    };
  });
}

/** The appointments of the patient `found.key`. */
function visitsOf({ tenantId, now }: AskedPatients) {
  const columns = sql`id, status, starts_at, ends_at, professional_id, service_type_id`;
  const ofPatient = sql`tenant_id = ${tenantId} AND ${PATIENT_KEY} = found.key`;
  const isAhead = sql`status = 'confirmed' AND ends_at > ${now}`;
  return sql`
    (
      SELECT ${columns}, true AS is_next
      FROM found_visit
      WHERE ${ofPatient} AND ${isAhead} AND starts_at > ${new Date(now.getTime() - DAY_MS)}
      ORDER BY starts_at
      LIMIT ${VISITS_EACH_WAY}
    )
    UNION ALL
    (
      SELECT ${columns}, false
      FROM found_visit
      WHERE ${ofPatient} AND status <> 'rescheduled' AND NOT (${isAhead})
      ORDER BY starts_at DESC
      LIMIT ${VISITS_EACH_WAY}
    )
  `;
}
