import { z } from 'zod';
import { columnsOf, listOf } from '../connection/columns.ts';
import { prepared, firstRow, rowsOf, type EntityManager } from '../connection/statements.ts';
import { openRows } from '../encryption/field-seal.ts';

/** More services than a voice can offer. */
const MAX_SERVICES = 200;
const MAX_APPOINTMENTS = 10;

const CALL = columnsOf('call', 'id', 'tenantId', 'fromNumberSealed', 'toNumberSealed');
const CLINIC = columnsOf('tenant', 'name', 'country', 'config');
const SERVICE = columnsOf('service_type', 'id', 'name', 'durationMinutes', 'priceEur');
const CALL_OF_CLINIC = CALL.extend({ ...CLINIC.shape, services: z.array(SERVICE) });

/** A call with its clinic and the services that can be booked, by name; null when there is no such call. */
export function findCallWithClinic(em: EntityManager, { tenantId, id }: { tenantId: string; id: string }) {
  return firstRow(prepared(em), CALL_OF_CLINIC)`
    SELECT
      call.id, call.tenant_id, call.from_number_sealed, call.to_number_sealed, tenant.name, tenant.country, tenant.config,
      (
        SELECT coalesce(json_agg(json_build_object(
          'id', id, 'name', name, 'durationMinutes', duration_minutes, 'priceEur', price_eur::text
        ) ORDER BY name, id), '[]')
        FROM (
          SELECT id, name, duration_minutes, price_eur
          FROM service_type
          WHERE tenant_id = call.tenant_id
            AND active
          ORDER BY name, id
          LIMIT ${MAX_SERVICES}
        ) AS service
      ) AS services
    FROM call
    JOIN tenant ON tenant.id = call.tenant_id
    WHERE call.tenant_id = ${tenantId}
      AND call.id = ${id}
  `;
}

const NEXT_APPOINTMENT = columnsOf(
  'appointment',
  'id',
  'tenantId',
  'patientName',
  'startsAt',
  'endsAt',
  'serviceTypeId',
  'professionalId',
);

/** The next confirmed appointments of everyone with this phone, soonest first. @param hashes of the phone */
export async function findNextAppointments(
  em: EntityManager,
  { tenantId, hashes, now }: { tenantId: string; hashes: readonly string[]; now: Date },
) {
  const rows = await rowsOf(prepared(em), NEXT_APPOINTMENT)`
    SELECT next.*
    FROM unnest(${[...hashes]}::text[]) AS phone (hash)
    CROSS JOIN LATERAL (
      SELECT ${listOf(NEXT_APPOINTMENT)}
      FROM appointment
      WHERE tenant_id = ${tenantId}
        AND patient_phone_hash = phone.hash
        AND status = 'confirmed'
        AND starts_at >= ${now}
      ORDER BY starts_at, id
      LIMIT ${MAX_APPOINTMENTS}
    ) AS next
    ORDER BY next.starts_at, next.id
    LIMIT ${MAX_APPOINTMENTS}
  `;
  return openRows(em, 'appointment', rows);
}
