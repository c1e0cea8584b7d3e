import { sql, type RawBuilder } from 'kysely';
import { z } from 'zod';
import { unsealed } from '../../domain/encryption/sealed-value.ts';
import { everyHashOfName } from '../../domain/patients/name-hashes.ts';
import { cipherOf } from '../connection/cipher-of.ts';
import {
  anyOf,
  onlyValue,
  rowsOf,
  tables,
  valuesOf,
  type EntityManager,
  type RowOf,
} from '../connection/statements.ts';
import { NpsResponseEntity } from '../entities/nps-response.entity.ts';
import { TriageFormEntity } from '../entities/triage-form.entity.ts';

/**
 * The patient whom an operator names: by external ID, by phone and name, or everyone with this phone. A phone has
 * several hashes: `PhoneHash.every`.
 */
export type Patient = { tenantId: string } & (
  | { externalId: string }
  | { patientPhoneHashes: readonly string[]; name: string | null }
);

/** The IDs of some of the patient's appointments. Appointments by which other appointments are found come last. */
export async function findAppointmentsOfPatient(em: EntityManager, patient: Patient, limit: number) {
  return valuesOf(em, z.string())`
    SELECT id FROM (${await appointmentsOf(em, patient)}) own ORDER BY turn, id LIMIT ${limit}
  `;
}

export async function countAppointmentsOfPatient(em: EntityManager, patient: Patient): Promise<number> {
  return onlyValue(em, z.number())`
    SELECT count(*)::integer FROM (${await appointmentsOf(em, patient)}) own
  `;
}

export interface PhonesOfPatient {
  /** Phone hashes that only this patient uses. */
  own: string[];
  /** Phone hashes that others use too: the phone of a household. */
  shared: string[];
}

const BOOKED_PHONE = z.object({ hash: z.string(), isShared: z.boolean() });

/** The phones under which the patient has booked. A phone given without a name belongs to everyone who has it. */
export async function findPhonesOfPatient(em: EntityManager, patient: Patient): Promise<PhonesOfPatient> {
  if ('patientPhoneHashes' in patient && patient.name === null) {
    return { own: [...patient.patientPhoneHashes], shared: [] };
  }
  const rows = await rowsOf(em, BOOKED_PHONE)`
    WITH own AS (${await appointmentsOf(em, patient)}), phone AS (
      SELECT DISTINCT patient_phone_hash AS hash FROM appointment WHERE id IN (SELECT id FROM own)
    )
    SELECT hash, EXISTS (
      SELECT FROM appointment
      WHERE tenant_id = ${patient.tenantId} AND patient_phone_hash = hash AND id NOT IN (SELECT id FROM own)
    ) AS is_shared
    FROM phone
    ORDER BY hash
  `;
  const [shared, own] = [rows.filter(({ isShared }) => isShared), rows.filter(({ isShared }) => !isShared)];
  return { own: own.map(({ hash }) => hash), shared: shared.map(({ hash }) => hash) };
}

/** An appointment for which a recall may have been sent. */
export type VisitOfPatient = RowOf<'appointment', 'patientPhoneHash' | 'startsAt'>;

/** The patient's appointments that were booked with these phones. */
export async function findVisitsOfPatient(em: EntityManager, patient: Patient, hashes: readonly string[]) {
  const own = sql<string>`(SELECT id FROM (${await appointmentsOf(em, patient)}) own)`;
  return tables(em)
    .selectFrom('appointment')
    .select(['patientPhoneHash', 'startsAt'])
    .where('id', 'in', own)
    .where('patientPhoneHash', '=', anyOf(hashes))
    .where('status', '=', 'attended')
    .execute();
}

/** Erases the patient's answers about an appointment; returns how many there were. */
export async function eraseAnswers(em: EntityManager, tenantId: string, appointmentId: string) {
  const about = { tenantId, appointmentId };
  return {
    npsResponses: await em.nativeUpdate(NpsResponseEntity, about, { comment: null }),
    triageForms: await em.nativeUpdate(TriageFormEntity, about, { answers: unsealed({}) }),
  };
}

/**
 * The appointments of a patient as (`id`, `turn`). Without an external ID, phone and name identify the patient; with an
 * external ID, all its appointments belong together. Appointments by which others are found come last in the order of
 * `turn`, so that an interrupted erasure can be repeated.
 */
async function appointmentsOf(em: EntityManager, patient: Patient) {
  const { tenantId } = patient;
  if ('patientPhoneHashes' in patient && patient.name === null) {
    return sql`
      SELECT id, 0 AS turn
      FROM appointment
      WHERE tenant_id = ${tenantId} AND patient_phone_hash = ${anyOf(patient.patientPhoneHashes)}
    `;
  }
  return sql`
    WITH asked AS (
      SELECT id, patient_external_id
      FROM appointment
      WHERE tenant_id = ${tenantId} AND ${await fitting(em, patient)}
    ), numbered AS (
      SELECT id, patient_phone_hash, name_hash
      FROM appointment
      WHERE tenant_id = ${tenantId} AND patient_external_id = ANY (ARRAY(SELECT patient_external_id FROM asked))
    ), unnumbered AS (
      SELECT id
      FROM appointment
      WHERE tenant_id = ${tenantId}
        AND patient_external_id IS NULL
        -- An array is looked up; for rows, of which it does not know how few they are, PostgreSQL might read the whole clinic.
        AND patient_phone_hash = ANY (ARRAY(SELECT patient_phone_hash FROM numbered))
        -- Who was erased has no name, and the phone of their pseudonym.
        AND (patient_phone_hash, coalesce(name_hash, '')) IN (SELECT patient_phone_hash, coalesce(name_hash, '') FROM numbered)
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

async function fitting(em: EntityManager, patient: Patient): Promise<RawBuilder<boolean>> {
  if ('externalId' in patient) return sql`patient_external_id = ${patient.externalId}`;
  const { tenantId, patientPhoneHashes, name } = patient;
  const nameHashes = everyHashOfName(await cipherOf(em, tenantId), name ?? '');
  return sql`(patient_phone_hash = ${anyOf(patientPhoneHashes)} AND name_hash = ${anyOf(nameHashes)})`;
}
