import { sql } from 'kysely';
import type { AppointmentStatus } from '../../domain/appointments/appointment-status.ts';
import { ERASED_NAME } from '../../domain/webhooks/erase-from-body.ts';
import type { EntityManager } from '../connection/open-database.ts';

export interface AskedPatients {
  tenantId: string;
  /** Words that begin those of a name, in any order, or a number of the clinic's other system, as somebody typed it. */
  question: string;
  /** Null: the question is no phone number. */
  patientPhoneHash: string | null;
  limit: number;
  now: Date;
}

export interface VisitOfFound {
  id: string;
  startsAt: Date;
  endsAt: Date;
  status: AppointmentStatus;
  professionalName: string;
  serviceName: string | null;
}

export interface FoundPatient {
  /** As recall tells patients apart: docs/recall.md#who-is-one-patient */
  key: string;
  name: string;
  /** What the clinic's other system calls the patient. */
  externalId: string | null;
  /** Still to come, the soonest first. */
  next: VisitOfFound[];
  /** Past or cancelled, the latest first. */
  earlier: VisitOfFound[];
}

/** Of the appointments that fit, the latest so many are looked at. */
const MOST_APPOINTMENTS = 500;
const VISITS_EACH_WAY = 3;
const DAY_MS = 86_400_000;

/** As the index appointment_by_patient_key has it. */
const KEY = sql`patient_key(patient_external_id, patient_phone_hash, patient_name)`;
/** As the index appointment_by_search_terms has it. */
const TERMS = sql`search_terms(tenant_id, patient_name, patient_external_id, external_id)`;

type Row = VisitOfFound & Pick<FoundPatient, 'key' | 'name' | 'externalId'> & { isNext: boolean };

/** The clinic's patients who fit, those first whose last appointment is the latest. */
export async function findPatients(em: EntityManager, asked: AskedPatients): Promise<FoundPatient[]> {
  const { tenantId, limit } = asked;
  const { rows } = await sql<Row>`
    WITH asked AS (${appointmentsThatFit(asked)}), found AS (
      SELECT
        key, max(starts_at) AS latest, (array_agg(patient_name ORDER BY starts_at DESC))[1] AS name,
        max(patient_external_id) AS external_id
      FROM (SELECT ${KEY} AS key, * FROM asked) keyed
      GROUP BY key
      ORDER BY latest DESC, key
      LIMIT ${limit}
    )
    SELECT
      found.key, found.name, found.external_id AS "externalId", visit.is_next AS "isNext", visit.id, visit.status,
      visit.starts_at AS "startsAt", visit.ends_at AS "endsAt",
      professional.name AS "professionalName", service.name AS "serviceName"
    FROM found
    CROSS JOIN LATERAL (${visitsOf(asked)}) visit
    JOIN professional ON professional.tenant_id = ${tenantId} AND professional.id = visit.professional_id
    LEFT JOIN service_type service ON service.tenant_id = ${tenantId} AND service.id = visit.service_type_id
    ORDER BY found.latest DESC, found.key, visit.is_next DESC,
      CASE WHEN visit.is_next THEN visit.starts_at END, visit.starts_at DESC
  `.execute(em.getKysely());
  const visits = rows.map((row) => ({
    ...row,
    startsAt: new Date(row.startsAt),
    endsAt: new Date(row.endsAt),
  }));
  return [...Map.groupBy(visits, ({ key }) => key).values()].map(asPatient);
}

function asPatient(visits: readonly Row[]): FoundPatient {
  const { key = '', name = '', externalId = null } = visits[0] ?? {};
  return {
    key,
    name,
    externalId,
    next: visits.filter(({ isNext }) => isNext),
    earlier: visits.filter(({ isNext }) => !isNext),
  };
}

function appointmentsThatFit({ tenantId, question, patientPhoneHash }: AskedPatients) {
  // Materialised, or PostgreSQL might walk from the latest appointment to the first, for as many as are asked for and do not fit.
  const latest = (condition: ReturnType<typeof sql>) => sql`(
    WITH fits AS MATERIALIZED (
      SELECT patient_external_id, patient_phone_hash, patient_name, starts_at
      FROM found_visit
      WHERE tenant_id = ${tenantId} AND ${condition} AND status <> 'rescheduled' AND patient_name <> ${ERASED_NAME}
    )
    SELECT * FROM fits ORDER BY starts_at DESC LIMIT ${MOST_APPOINTMENTS}
  )`;
  const byTerms = latest(sql`${TERMS} @@ search_question(${tenantId}, ${question})`);
  if (patientPhoneHash === null) return byTerms;
  return sql`${byTerms} UNION ALL ${latest(sql`patient_phone_hash = ${patientPhoneHash}`)}`;
}

/** Of the patient `found.key`. */
function visitsOf({ tenantId, now }: AskedPatients) {
  const columns = sql`id, status, starts_at, ends_at, professional_id, service_type_id`;
  const ofPatient = sql`tenant_id = ${tenantId} AND ${KEY} = found.key`;
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
