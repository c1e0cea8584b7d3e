import { z } from 'zod';
import { changedRows, firstRow, run, type EntityManager } from '../connection/statements.ts';
import { openRows, sealRow } from '../encryption/field-seal.ts';
import {
  PatientEmailEntity,
  type PatientEmailRow,
  type StoredPatientEmail,
} from '../entities/patient-email.entity.ts';

/** An address is kept this long after the appointment. */
export const KEPT_DAYS = 30;
const DAY_MS = 86_400_000;

export interface GivenEmail {
  email: string;
  /** The language of the page. */
  language: PatientEmailRow['language'];
}

/** Stores the address that a patient gave with a booking. The confirmation is due at once. */
export async function insertPatientEmail(
  em: EntityManager,
  { id, tenantId, endsAt }: { id: string; tenantId: string; endsAt: Date },
  given: GivenEmail,
): Promise<void> {
  const keepUntil = new Date(endsAt.getTime() + KEPT_DAYS * DAY_MS);
  const row = { bookedId: id, tenantId, appointmentId: id, keepUntil, ...given };
  const { email, language } = await sealRow<typeof row & Pick<StoredPatientEmail, 'email'>>(
    em,
    'patientEmail',
    row,
  );
  // Public pages may not read what they write, so this returns nothing.
  await run(em)`
    INSERT INTO patient_email (booked_id, tenant_id, appointment_id, email, language, due_at, keep_until)
    VALUES (${id}, ${tenantId}, ${id}, ${email}, ${language}, clock_timestamp(), ${keepUntil})
  `;
}

/** Whether the patient gets mails about changes. `refused`: the mail server refused the address. */
export type Reach = 'told' | 'refused' | 'none';

/** How the patient of this appointment can be reached. Reads no address. */
export async function findReach(em: EntityManager, tenantId: string, appointmentId: string): Promise<Reach> {
  const found = await firstRow(em, z.object({ isRefused: z.boolean() }))`
    SELECT refused_at IS NOT NULL AS is_refused
    FROM patient_email
    WHERE tenant_id = ${tenantId} AND appointment_id = ${appointmentId}
  `;
  if (!found) return 'none';
  return found.isRefused ? 'refused' : 'told';
}

/** Deletes the address of a visit, found by its first or latest appointment. Returns how many. */
export function deletePatientEmails(em: EntityManager, tenantId: string, appointmentId: string) {
  return em.nativeDelete(PatientEmailEntity, {
    tenantId,
    $or: [{ appointmentId }, { bookedId: appointmentId }],
  });
}

/** The addresses given with any of these appointments. */
export async function findPatientEmails(em: EntityManager, tenantId: string, ids: readonly string[]) {
  const rows = await em.find(PatientEmailEntity, { tenantId, appointmentId: { $in: [...ids] } });
  return openRows(em, 'patientEmail', rows);
}

/** Deletes some addresses whose appointment was 30 days ago; returns how many. */
export function purgePatientEmails(em: EntityManager, atMost: number): Promise<number> {
  return changedRows(em)`
    DELETE FROM patient_email
    WHERE booked_id IN (
      SELECT booked_id
      FROM patient_email
      WHERE keep_until < clock_timestamp()
      ORDER BY keep_until
      LIMIT ${atMost}
      FOR UPDATE SKIP LOCKED
    )
  `;
}
