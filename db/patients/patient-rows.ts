import { sql } from 'kysely';
import type { EntityManager } from '../connection/open-database.ts';

/** Somebody whose phone a clinic knows. */
export interface Patient {
  tenantId: string;
  patientPhoneHash: string;
}

/** The ids of some of the patient's appointments, the earliest first. */
export async function findAppointmentsOfPatient(
  em: EntityManager,
  { tenantId, patientPhoneHash }: Patient,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM appointment
    WHERE tenant_id = ${tenantId} AND patient_phone_hash = ${patientPhoneHash}
    ORDER BY starts_at, id
    LIMIT ${limit}
  `.execute(em.getKysely());
  return rows.map(({ id }) => id);
}

/** The ids of some of the calls from the patient's phone and to it, the earliest first. */
export async function findCallsOfPatient(
  em: EntityManager,
  { tenantId, patientPhoneHash }: Patient,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT id
    FROM (
      SELECT id, started_at FROM call WHERE tenant_id = ${tenantId} AND from_number_hash = ${patientPhoneHash}
      UNION
      SELECT id, started_at FROM call WHERE tenant_id = ${tenantId} AND to_number_hash = ${patientPhoneHash}
    ) call
    ORDER BY started_at, id
    LIMIT ${limit}
  `.execute(em.getKysely());
  return rows.map(({ id }) => id);
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

/** What was said and done in a call; that something was stays. */
export async function eraseTranscript(em: EntityManager, tenantId: string, callId: string): Promise<void> {
  await sql`
    UPDATE call_event
    SET transcript = CASE WHEN transcript IS NULL THEN NULL ELSE '' END, tool_input = NULL, tool_output = NULL
    WHERE tenant_id = ${tenantId} AND call_id = ${callId}
  `.execute(em.getKysely());
}

/** That the patient was called back stays; who it was does not. Returns how often. */
export async function eraseRecalls(
  em: EntityManager,
  { tenantId, patientPhoneHash }: Patient,
  replacement: string,
): Promise<number> {
  const { numAffectedRows } = await sql`
    UPDATE recall SET patient_phone_hash = ${replacement}
    WHERE tenant_id = ${tenantId} AND patient_phone_hash = ${patientPhoneHash}
  `.execute(em.getKysely());
  return Number(numAffectedRows ?? 0);
}

export interface KeptAnswerRow {
  keyHash: Buffer;
  sealed: string;
}

/** The answers kept for the clinic's repeats, a page at a time in the order of their keys. */
export async function pageOfKeptAnswers(
  em: EntityManager,
  tenantId: string,
  { after, limit }: { after: Buffer | null; limit: number },
): Promise<KeptAnswerRow[]> {
  const { rows } = await sql<KeptAnswerRow>`
    SELECT key_hash AS "keyHash", sealed FROM idempotency_record
    WHERE tenant_id = ${tenantId} AND ${after ? sql`key_hash > ${after}` : sql`true`}
    ORDER BY key_hash
    LIMIT ${limit}
  `.execute(em.getKysely());
  return rows;
}

export async function forgetKeptAnswers(
  em: EntityManager,
  tenantId: string,
  keyHashes: readonly Buffer[],
): Promise<void> {
  await sql`
    DELETE FROM idempotency_record
    WHERE tenant_id = ${tenantId} AND key_hash = ANY(${[...keyHashes]}::bytea[])
  `.execute(em.getKysely());
}

export interface RecallOfPatient {
  lastVisitAt: Date;
  createdAt: Date;
}

export async function findRecallsOfPatient(
  em: EntityManager,
  { tenantId, patientPhoneHash }: Patient,
): Promise<RecallOfPatient[]> {
  const { rows } = await sql<Record<keyof RecallOfPatient, string>>`
    SELECT last_visit_at AS "lastVisitAt", created_at AS "createdAt" FROM recall
    WHERE tenant_id = ${tenantId} AND patient_phone_hash = ${patientPhoneHash}
    ORDER BY last_visit_at
  `.execute(em.getKysely());
  return rows.map(({ lastVisitAt, createdAt }) => ({
    lastVisitAt: new Date(lastVisitAt),
    createdAt: new Date(createdAt),
  }));
}

export interface RecallOfClinic extends RecallOfPatient {
  /** Hash and last visit: unique in the clinic, and the order of the pages. */
  id: string;
  patientPhoneHash: string;
}

/** The clinic's recalls, a page at a time. @param after the `id` of the last one */
export async function pageOfRecalls(
  em: EntityManager,
  tenantId: string,
  { after, limit }: { after: string | null; limit: number },
): Promise<RecallOfClinic[]> {
  const [hash, lastVisitAt] = after?.split(' ') ?? [];
  const { rows } = await sql<Record<keyof RecallOfClinic, string>>`
    SELECT patient_phone_hash AS "patientPhoneHash", last_visit_at AS "lastVisitAt", created_at AS "createdAt"
    FROM recall
    WHERE tenant_id = ${tenantId}
      AND ${after === null ? sql`true` : sql`(patient_phone_hash, last_visit_at) > (${hash}, ${lastVisitAt}::timestamptz)`}
    ORDER BY patient_phone_hash, last_visit_at
    LIMIT ${limit}
  `.execute(em.getKysely());
  return rows.map((row) => {
    const [visit, createdAt] = [new Date(row.lastVisitAt), new Date(row.createdAt)];
    const { patientPhoneHash } = row;
    return {
      id: `${patientPhoneHash} ${visit.toISOString()}`,
      patientPhoneHash,
      lastVisitAt: visit,
      createdAt,
    };
  });
}
