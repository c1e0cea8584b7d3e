import { sql, type RawBuilder } from 'kysely';
import type { ClinicCipher } from '../../domain/encryption/clinic-ciphers.ts';
import { SEALED_FIELDS } from '../../domain/encryption/sealed-fields.ts';
import { unsealed } from '../../domain/encryption/sealed-value.ts';
import { plainName } from '../../domain/patients/plain-name.ts';
import { cipherOf } from '../connection/cipher-of.ts';
import type { EntityManager } from '../connection/open-database.ts';
import { anyOf, tables, type RowOf } from '../connection/tables.ts';
import { openRows } from '../encryption/field-seal.ts';
import type { StoredAppointment } from '../entities/appointment.entity.ts';
import { NpsResponseEntity } from '../entities/nps-response.entity.ts';
import { TriageFormEntity } from '../entities/triage-form.entity.ts';
import { isNamed } from './is-named.ts';

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
    SELECT id FROM (${await appointmentsOf(em, patient)}) own ORDER BY turn, id LIMIT ${limit}
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
    WITH own AS (${await appointmentsOf(em, patient)}), phone AS (
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
export type VisitOfPatient = RowOf<'appointment', 'patientPhoneHash' | 'startsAt'>;

/** The patient's visits that were booked under these phones. */
export async function findVisitsOfPatient(
  em: EntityManager,
  patient: Patient,
  hashes: readonly string[],
): Promise<VisitOfPatient[]> {
  const own = sql<string>`(SELECT id FROM (${await appointmentsOf(em, patient)}) own)`;
  return tables(em)
    .selectFrom('appointment')
    .select(['patientPhoneHash', 'startsAt'])
    .where('id', 'in', own)
    .where('patientPhoneHash', '=', anyOf(hashes))
    .where('status', '=', 'attended')
    .execute();
}

/** What the patient answered about a visit; returns how many answers there were. */
export async function eraseAnswers(
  em: EntityManager,
  tenantId: string,
  appointmentId: string,
): Promise<{ npsResponses: number; triageForms: number }> {
  const about = { tenantId, appointmentId };
  return {
    npsResponses: await em.nativeUpdate(NpsResponseEntity, about, { comment: null }),
    triageForms: await em.nativeUpdate(TriageFormEntity, about, { answers: unsealed({}) }),
  };
}

/**
 * The appointments of a patient, as (`id`, `turn`). One without a number of the other system belongs to whom phone and name
 * tell; one with a number to all others of that number. In the order of `turn`, and repeated as often as one likes, each can
 * be made unrecognisable without the rest being lost: what leads to others goes last.
 */
async function appointmentsOf(
  em: EntityManager,
  patient: Patient,
): Promise<RawBuilder<{ id: string; turn: number }>> {
  const { tenantId } = patient;
  if ('patientPhoneHash' in patient && patient.name === null) {
    return sql`
      SELECT id, 0 AS turn
      FROM appointment
      WHERE tenant_id = ${tenantId} AND patient_phone_hash = ${patient.patientPhoneHash}
    `;
  }
  const askedFor = await fitting(em, patient);
  return sql`
    WITH asked AS (
      SELECT id, patient_external_id FROM appointment WHERE tenant_id = ${tenantId} AND ${askedFor}
    ), numbered AS (${numbered(tenantId, askedFor)}), unnumbered AS (
      SELECT id
      FROM appointment
      WHERE tenant_id = ${tenantId} AND patient_external_id IS NULL AND ${await namesakes(em, tenantId, askedFor)}
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
  return isOf(await cipherOf(em, patient.tenantId), {
    phone: patient.patientPhoneHash,
    name: patient.name ?? '',
  });
}

function numbered(tenantId: string, askedFor: RawBuilder<boolean>): RawBuilder<unknown> {
  return sql`
    SELECT id, tenant_id AS "tenantId", patient_phone_hash AS "patientPhoneHash", patient_name AS "patientName"
    FROM appointment
    WHERE tenant_id = ${tenantId}
      AND patient_external_id IN (
        SELECT patient_external_id FROM appointment WHERE tenant_id = ${tenantId} AND ${askedFor}
      )
  `;
}

/** Whoever has phone and name of one that is numbered. The names are opened, for some may not be hashed yet. */
async function namesakes(
  em: EntityManager,
  tenantId: string,
  askedFor: RawBuilder<boolean>,
): Promise<RawBuilder<boolean>> {
  const cipher = await cipherOf(em, tenantId);
  const { rows } = await sql<
    Pick<StoredAppointment, 'id' | 'tenantId' | 'patientPhoneHash' | 'patientName'>
  >`${numbered(tenantId, askedFor)}`.execute(em.getKysely());
  const opened = await openRows(em, SEALED_FIELDS.appointment, rows);
  const known = new Map(
    opened.map(({ patientPhoneHash: phone, patientName: name }) => [
      `${phone} ${plainName(name)}`,
      { phone, name },
    ]),
  );
  if (known.size === 0) return sql`false`;
  return sql`(${sql.join(
    [...known.values()].map((each) => isOf(cipher, each)),
    sql` OR `,
  )})`;
}

function isOf(cipher: ClinicCipher, { phone, name }: { phone: string; name: string }): RawBuilder<boolean> {
  return sql`(patient_phone_hash = ${phone} AND ${isNamed(cipher, name)})`;
}
