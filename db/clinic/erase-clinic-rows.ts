import { sql, type RawBuilder } from 'kysely';
import { z } from 'zod';
import { ERASED_NAME } from '../../domain/patients/erased-name.ts';
import { columnOf, columnsExcept } from '../connection/columns.ts';
import {
  changedRows,
  run,
  tables,
  valuesOf,
  type EntityManager,
  type Tables,
} from '../connection/statements.ts';
import { ERASED_APPOINTMENT } from '../patients/erased-appointment.ts';

/** A reserved domain: RFC 2606. */
const ERASED_URL = 'https://erased.invalid/';
const NAME = sql.lit(ERASED_NAME);
/** A random value in the form of a phone hash. */
const NOBODYS_HASH = sql`encode(sha256(convert_to(gen_random_uuid()::text, 'UTF8')), 'hex')`;

/** Columns without personal data, set by an operator, or replaced here. */
const STAYS_OF_TENANT = [
  'country',
  'specialty',
  'plan',
  'status',
  'trialEndsAt',
  'requestsPerMinute',
  'maxAppointments',
  'maxCalls',
  'maxRecordingGib',
  'name',
  'identityOrgId',
] as const;

export interface PageOfClinic {
  tenantId: string;
  /** The ID of the last row already erased; null at the start. */
  after: string | null;
  limit: number;
}

/** Erases the next appointments and their patients' answers; returns their ids, in order. */
export function eraseAppointments(em: EntityManager, page: PageOfClinic) {
  return valuesOf(em, z.string())`
    WITH page AS (${held('appointment', page)}), nps AS (
      UPDATE nps_response SET comment = NULL WHERE appointment_id IN (SELECT id FROM page)
    ), triage AS (
      UPDATE triage_form SET answers = '{}' WHERE appointment_id IN (SELECT id FROM page)
    ), erased AS (
      UPDATE appointment
      SET ${becoming(ERASED_APPOINTMENT)}, name_hash = NULL, name_tokens = NULL,
        patient_phone_hash = ${NOBODYS_HASH}, version = version + 1
      FROM page
      WHERE appointment.tenant_id = ${page.tenantId}
        AND appointment.id = page.id
    )
    SELECT id FROM page ORDER BY id
  `;
}

/** Erases the URLs of the next deliveries and attempts; returns their ids, in order. */
export function eraseUrls(em: EntityManager, page: PageOfClinic) {
  return valuesOf(em, z.string())`
    WITH page AS (${held('webhook_delivery', page)}), attempt AS (
      UPDATE webhook_attempt SET url = NULL WHERE delivery_id IN (SELECT id FROM page) AND url IS NOT NULL
    ), erased AS (
      UPDATE webhook_delivery SET url = NULL WHERE id IN (SELECT id FROM page) AND url IS NOT NULL
    )
    SELECT id FROM page ORDER BY id
  `;
}

/** Locks the clinic's next calls until the transaction ends, ordered by id. */
export function lockCalls(em: EntityManager, page: PageOfClinic) {
  return valuesOf(em, z.string())`${held('call', page)}`;
}

/** Erases the numbers of calls, and what was written about them. @param calls with the replacement numbers */
export function eraseCalls(
  em: EntityManager,
  tenantId: string,
  calls: readonly { id: string; from_sealed: string; to_sealed: string }[],
) {
  return run(em)`
    UPDATE call
    SET telephony_call_control_id = NULL, from_number_sealed = given.from_sealed, to_number_sealed = given.to_sealed,
      from_number_hash = ${NOBODYS_HASH}, to_number_hash = ${NOBODYS_HASH}, metadata = '{}',
      language = NULL, summary = CASE WHEN summary IS NULL THEN NULL ELSE '' END
    FROM json_to_recordset(${JSON.stringify(calls)}::json) AS given (id uuid, from_sealed text, to_sealed text)
    WHERE call.tenant_id = ${tenantId}
      AND call.id = given.id
  `;
}

/**
 * Deletes some of the clinic's recalls and stops the search for further recalls. Returns how many; fewer than `limit`
 * means that none are left.
 */
export async function eraseRecalls(em: EntityManager, tenantId: string, limit: number): Promise<number> {
  await run(em)`
    INSERT INTO recall_scan (tenant_id, recall_scanned_on)
    VALUES (${tenantId}, 'infinity')
    ON CONFLICT (tenant_id) DO UPDATE
    SET recall_scanned_on = 'infinity', scanning_on = NULL, reached_key = NULL
  `;
  return changedRows(em)`
    DELETE FROM recall
    WHERE tenant_id = ${tenantId}
      AND (patient_phone_hash, last_visit_at) IN (
        SELECT patient_phone_hash, last_visit_at FROM recall WHERE tenant_id = ${tenantId} LIMIT ${limit}
      )
  `;
}

/** Erases the names of the clinic and its professionals. Times, statuses, specialties and durations are kept. */
export async function eraseClinic(em: EntityManager, tenantId: string): Promise<void> {
  for (const statement of [
    sql`UPDATE api_key SET name = ${NAME} WHERE tenant_id = ${tenantId}`,
    sql`UPDATE webhook_endpoint
      SET url = CASE WHEN url IS NOT NULL THEN ${ERASED_URL} END, description = NULL, headers_ciphertext = NULL, header_names = '{}'
      WHERE tenant_id = ${tenantId}`,
    sql`UPDATE notification SET endpoint_url = ${ERASED_URL} WHERE tenant_id = ${tenantId} AND endpoint_url IS NOT NULL`,
    // Addresses and browsers of a day's bookings by patients.
    sql`DELETE FROM self_booking WHERE tenant_id = ${tenantId}`,
    sql`DELETE FROM patient_email WHERE tenant_id = ${tenantId}`,
    sql`UPDATE busy_block SET title = NULL, external_id = id WHERE tenant_id = ${tenantId}`,
    sql`UPDATE professional
      SET ${unsaidBut('professional', 'specialty', 'name', 'active')}, name = ${NAME}, active = false
      WHERE tenant_id = ${tenantId}`,
    sql`UPDATE service_type
      SET ${unsaidBut('service_type', 'durationMinutes', 'bufferMinutes', 'name', 'active')}, name = ${NAME}, active = false
      WHERE tenant_id = ${tenantId}`,
    sql`UPDATE tenant
      SET ${unsaidBut('tenant', ...STAYS_OF_TENANT)},
        name = ${NAME}, identity_org_id = ${`${ERASED_NAME}_${tenantId}`}
      WHERE id = ${tenantId}`,
  ])
    await statement.execute(tables(em));
}

/** Resets every column except the named ones to its default, including columns added later. */
function unsaidBut<Table extends 'professional' | 'service_type' | 'tenant'>(
  table: Table,
  ...named: (keyof Tables[Table])[]
): RawBuilder<unknown> {
  const columns: string[] = columnsExcept(table, 'id', 'createdAt', 'updatedAt', ...named);
  const said = columns.filter((column) => column !== 'tenantId');
  return becoming(Object.fromEntries(said.map((column) => [column, sql`DEFAULT`])));
}

function becoming(values: object): RawBuilder<unknown> {
  return sql.join(
    Object.entries(values).map(([column, value]) => sql`${sql.ref(columnOf(column))} = ${value}`),
  );
}

function held(table: 'appointment' | 'call' | 'webhook_delivery', { tenantId, after, limit }: PageOfClinic) {
  return sql`
    SELECT id
    FROM ${sql.table(table)}
    WHERE tenant_id = ${tenantId}
      AND ${after === null ? sql`true` : sql`id > ${after}::uuid`}
    ORDER BY id
    LIMIT ${limit}
    FOR NO KEY UPDATE
  `;
}
