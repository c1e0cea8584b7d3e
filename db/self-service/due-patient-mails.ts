import { sql, type RawBuilder } from 'kysely';
import type { z } from 'zod';
import { columnsExcept, columnsOf } from '../connection/columns.ts';
import { rowsOf, run, type EntityManager } from '../connection/statements.ts';
import { openRow } from '../encryption/field-seal.ts';
import type { PatientEmailRow } from '../entities/patient-email.entity.ts';

/** Another process takes over a mail that was interrupted. */
const SENDING_LIMIT_SECONDS = 300;

const ROW = columnsOf('patient_email', ...columnsExcept('patient_email'));
/** A mail that no other process sends meanwhile. The address is still encrypted. */
export type DueMail = z.infer<typeof ROW>;

/**
 * Claims the next due mails. Clinics take turns, so that a mail does not wait behind ten thousand mails of another
 * clinic.
 */
export function claimDueMails(em: EntityManager, limit: number): Promise<DueMail[]> {
  return rowsOf(em, ROW)`
    WITH RECURSIVE clinic AS (
      (${nextClinic(sql``)})
      UNION ALL
      SELECT following.tenant_id
      FROM clinic
      CROSS JOIN LATERAL (${nextClinic(sql`AND tenant_id > clinic.tenant_id`)}) following
    ), turn AS (
      SELECT booked_id, row_number() OVER (PARTITION BY clinic.tenant_id ORDER BY due_at) AS turn
      FROM clinic
      CROSS JOIN LATERAL (
        SELECT booked_id, due_at
        FROM patient_email
        WHERE tenant_id = clinic.tenant_id
          AND due_at <= clock_timestamp()
        ORDER BY due_at
        LIMIT ${limit}
      ) oldest
    ), next AS (
      SELECT booked_id FROM turn ORDER BY turn, random() LIMIT ${limit}
    ), held AS (
      SELECT booked_id
      FROM patient_email
      WHERE booked_id = ANY (ARRAY(SELECT booked_id FROM next))
        AND due_at <= clock_timestamp()
      FOR NO KEY UPDATE SKIP LOCKED
    )
    UPDATE patient_email
    SET due_at = clock_timestamp() + make_interval(secs => ${SENDING_LIMIT_SECONDS})
    FROM held
    WHERE patient_email.booked_id = held.booked_id
    RETURNING patient_email.*
  `;
}

/** A loose index scan: one look-up for each clinic with a due mail. */
function nextClinic(after: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    SELECT tenant_id FROM patient_email WHERE due_at IS NOT NULL ${after} ORDER BY tenant_id LIMIT 1
  `;
}

/** @throws SecretUnreadableError */
export function openMail(em: EntityManager, mail: DueMail): Promise<PatientEmailRow> {
  return openRow(em, 'patientEmail', mail);
}

/** Nothing is due any more, unless the appointment has changed since the mail was claimed. */
const DONE_UNLESS_CHANGED = ({ dueAt }: DueMail) =>
  sql`due_at = CASE WHEN due_at IS DISTINCT FROM ${dueAt}::timestamptz THEN due_at END`;

/** Records which state the patient was told. A request for another time follows, if there is one. */
export function recordTold(em: EntityManager, mail: DueMail, told: Pick<DueMail, 'toldId' | 'toldStatus'>) {
  return run(em)`
    UPDATE patient_email
    SET told_id = ${told.toldId}, told_status = ${told.toldStatus}, told_at = clock_timestamp(),
      due_at = CASE
        WHEN due_at IS DISTINCT FROM ${mail.dueAt}::timestamptz THEN due_at
        WHEN block_id IS NOT NULL AND block_told_at IS NULL THEN clock_timestamp()
      END
    WHERE booked_id = ${mail.bookedId}
  `;
}

/** Records that the patient was asked for another time. */
export function recordAsked(em: EntityManager, mail: DueMail) {
  return run(em)`
    UPDATE patient_email
    SET block_told_at = CASE WHEN block_id = ${mail.blockId} THEN clock_timestamp() END,
      ${DONE_UNLESS_CHANGED(mail)}
    WHERE booked_id = ${mail.bookedId}
  `;
}

/** Nothing is to be told. */
export function recordNothingDue(em: EntityManager, mail: DueMail) {
  return run(em)`
    UPDATE patient_email SET ${DONE_UNLESS_CHANGED(mail)} WHERE booked_id = ${mail.bookedId}
  `;
}

/** Records that the mail server refused the address. It gets no further mail. */
export function recordRefused(em: EntityManager, { bookedId }: DueMail) {
  return run(em)`
    UPDATE patient_email SET refused_at = clock_timestamp(), due_at = NULL WHERE booked_id = ${bookedId}
  `;
}

/** Sends the mail later, unless the appointment has changed since it was claimed. */
export function postponeMail(em: EntityManager, { bookedId, dueAt }: DueMail, waitMs: number) {
  return run(em)`
    UPDATE patient_email
    SET due_at = clock_timestamp() + make_interval(secs => ${waitMs / 1000})
    WHERE booked_id = ${bookedId}
      AND due_at = ${dueAt}::timestamptz
  `;
}
