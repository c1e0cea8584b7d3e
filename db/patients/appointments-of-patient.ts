import { sql, type RawBuilder } from 'kysely';
import type { EntityManager } from '../connection/open-database.ts';

/**
 * Whom an operator asks for: the patient whom the clinic's other system calls so, whoever has this phone and this name, or
 * all who have this phone.
 */
export type Patient = { tenantId: string } & (
  | { externalId: string }
  | { patientPhoneHash: string; name: string | null }
);

/** The ids of some of the patient's appointments, those that lead to others last. */
export async function findAppointmentsOfPatient(
  em: EntityManager,
  patient: Patient,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM (${appointmentsOf(patient)}) own ORDER BY turn, id LIMIT ${limit}
  `.execute(em.getKysely());
  return rows.map(({ id }) => id);
}

export interface PhonesOfPatient {
  /** Hashes under which nobody else books. */
  own: string[];
  /** Hashes that somebody else has, too: the phone of a household. */
  shared: string[];
}

/** The phones under which the patient has booked. One that was asked for without a name is everybody's who has it. */
export async function findPhonesOfPatient(em: EntityManager, patient: Patient): Promise<PhonesOfPatient> {
  if ('patientPhoneHash' in patient && patient.name === null) {
    return { own: [patient.patientPhoneHash], shared: [] };
  }
  const { rows } = await sql<{ hash: string; isShared: boolean }>`
    WITH own AS (${appointmentsOf(patient)}), phone AS (
      SELECT DISTINCT patient_phone_hash AS hash FROM appointment WHERE id IN (SELECT id FROM own)
    )
    SELECT hash, EXISTS (
      SELECT FROM appointment
      WHERE tenant_id = ${patient.tenantId} AND patient_phone_hash = hash AND id NOT IN (SELECT id FROM own)
    ) AS "isShared"
    FROM phone
    ORDER BY hash
  `.execute(em.getKysely());
  const [shared, own] = [rows.filter(({ isShared }) => isShared), rows.filter(({ isShared }) => !isShared)];
  return { own: own.map(({ hash }) => hash), shared: shared.map(({ hash }) => hash) };
}

/** A visit for which a recall may have been sent. */
export interface VisitOfPatient {
  patientPhoneHash: string;
  startsAt: Date;
}

/** The patient's visits that were booked under these phones. */
export async function findVisitsOfPatient(
  em: EntityManager,
  patient: Patient,
  hashes: readonly string[],
): Promise<VisitOfPatient[]> {
  const { rows } = await sql<{ patientPhoneHash: string; startsAt: string }>`
    SELECT patient_phone_hash AS "patientPhoneHash", starts_at AS "startsAt"
    FROM appointment
    WHERE id IN (SELECT id FROM (${appointmentsOf(patient)}) own)
      AND patient_phone_hash = ANY(${[...hashes]}::text[])
      AND status = 'attended'
  `.execute(em.getKysely());
  return rows.map(({ patientPhoneHash, startsAt }) => ({ patientPhoneHash, startsAt: new Date(startsAt) }));
}

/** What the patient answered about a visit; returns how many answers there were. */
export async function eraseAnswers(
  em: EntityManager,
  tenantId: string,
  appointmentId: string,
): Promise<{ npsResponses: number; triageForms: number }> {
  const nps = await sql`
    UPDATE nps_response SET comment = NULL WHERE tenant_id = ${tenantId} AND appointment_id = ${appointmentId}
  `.execute(em.getKysely());
  const triage = await sql`
    UPDATE triage_form SET answers = '{}' WHERE tenant_id = ${tenantId} AND appointment_id = ${appointmentId}
  `.execute(em.getKysely());
  return { npsResponses: Number(nps.numAffectedRows ?? 0), triageForms: Number(triage.numAffectedRows ?? 0) };
}

/**
 * The appointments of a patient, as (`id`, `turn`). One without a number of the other system belongs to whom phone and name
 * tell; one with a number to all others of that number. In the order of `turn`, and repeated as often as one likes, each can
 * be made unrecognisable without the rest being lost: what leads to others goes last.
 */
function appointmentsOf(patient: Patient): RawBuilder<{ id: string; turn: number }> {
  const { tenantId } = patient;
  if ('patientPhoneHash' in patient && patient.name === null) {
    return sql`
      SELECT id, 0 AS turn
      FROM appointment
      WHERE tenant_id = ${tenantId} AND patient_phone_hash = ${patient.patientPhoneHash}
    `;
  }
  return sql`
    WITH asked AS (
      SELECT id, patient_external_id, patient_phone_hash, plain_name(patient_name) AS name
      FROM appointment
      WHERE tenant_id = ${tenantId} AND ${askedFor(patient)}
    ), numbered AS (
      SELECT id, patient_phone_hash, plain_name(patient_name) AS name
      FROM appointment
      WHERE tenant_id = ${tenantId} AND patient_external_id IN (SELECT patient_external_id FROM asked)
    ), unnumbered AS (
      SELECT id
      FROM appointment
      JOIN (SELECT DISTINCT patient_phone_hash, name FROM numbered) known USING (patient_phone_hash)
      WHERE tenant_id = ${tenantId} AND patient_external_id IS NULL AND plain_name(patient_name) = known.name
    )
    SELECT id, min(turn) AS turn
    FROM (
      SELECT id, 0 AS turn FROM unnumbered
      UNION ALL
      SELECT id, 0 FROM asked WHERE patient_external_id IS NULL
      UNION ALL
      SELECT id, CASE WHEN id IN (SELECT id FROM asked) THEN 2 ELSE 1 END FROM numbered
    ) own
    GROUP BY id
  `;
}

function askedFor(patient: Patient): RawBuilder<boolean> {
  if ('externalId' in patient) return sql`patient_external_id = ${patient.externalId}`;
  return sql`patient_phone_hash = ${patient.patientPhoneHash} AND plain_name(patient_name) = plain_name(${patient.name})`;
}
