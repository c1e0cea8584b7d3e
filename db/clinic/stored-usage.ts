import { z } from 'zod';
import { onlyValue, type EntityManager } from '../connection/statements.ts';

/**
 * Adds some pending usage rows to the clinics' totals, and returns how many. Several processes can do so at the same
 * time.
 */
export function addUpUsage(em: EntityManager, atMost: number): Promise<number> {
  return onlyValue(em, z.number())`
    WITH noted AS (
      DELETE FROM usage_change
      WHERE ctid = ANY (ARRAY(SELECT ctid FROM usage_change LIMIT ${atMost} FOR UPDATE SKIP LOCKED))
      RETURNING tenant_id, what, amount
    ), added AS (
      INSERT INTO clinic_usage (tenant_id, appointments, calls, recording_bytes)
      SELECT
        tenant_id,
        coalesce(sum(amount) FILTER (WHERE what = 'appointments'), 0),
        coalesce(sum(amount) FILTER (WHERE what = 'calls'), 0),
        coalesce(sum(amount) FILTER (WHERE what = 'recording_bytes'), 0)
      FROM noted
      GROUP BY tenant_id
      -- In one order, whichever process adds up.
      ORDER BY tenant_id
      ON CONFLICT (tenant_id) DO UPDATE
      SET
        appointments = clinic_usage.appointments + excluded.appointments,
        calls = clinic_usage.calls + excluded.calls,
        recording_bytes = clinic_usage.recording_bytes + excluded.recording_bytes
    )
    SELECT count(*)::integer FROM noted
  `;
}

/** Whether the clinic has reached its limit of stored appointments. */
export function hasAllAppointments(em: EntityManager, tenantId: string): Promise<boolean> {
  return onlyValue(em, z.boolean())`
    SELECT EXISTS (
      SELECT
      FROM clinic_usage JOIN tenant ON tenant.id = clinic_usage.tenant_id
      WHERE tenant.id = ${tenantId} AND appointments >= max_appointments
    )
  `;
}

/** Whether the clinic has reached its limit of stored recordings, in bytes. */
export function hasAllRecordings(em: EntityManager, tenantId: string): Promise<boolean> {
  return onlyValue(em, z.boolean())`
    SELECT EXISTS (
      SELECT
      FROM clinic_usage JOIN tenant ON tenant.id = clinic_usage.tenant_id
      WHERE tenant.id = ${tenantId} AND recording_bytes >= max_recording_gib * 1024.0 ^ 3
    )
  `;
}
