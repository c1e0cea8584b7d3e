import { CallEntity, type CallRow, type OpenedCall } from '../entities/call.entity.ts';
import { lockWithClinic, type Locked } from '../connection/locks.ts';
import { rowReader, type RawRow } from '../connection/row-reader.ts';
import { firstRow, type EntityManager } from '../connection/statements.ts';
import { sealRow } from '../encryption/field-seal.ts';

const callReader = rowReader<CallRow>(CallEntity);

export interface LockedCall extends Locked {
  call: CallRow;
}

/** Locks a call until the transaction ends, so that it may be changed. */
export async function lockCall(em: EntityManager, tenantId: string, id: string): Promise<LockedCall | null> {
  const locked = await lockWithClinic(em, callReader, { tenantId, id });
  return locked && { ...locked, call: em.map(CallEntity, locked.row) };
}

export type NewCall = Pick<
  OpenedCall,
  | 'id'
  | 'tenantId'
  | 'telephonyCallControlId'
  | 'fromNumberSealed'
  | 'toNumberSealed'
  | 'fromNumberHash'
  | 'toNumberHash'
  | 'startedAt'
  | 'metadata'
>;

/**
 * Inserts a call in progress; null when any clinic already uses its id. The conflict does not end the transaction. Also
 * reads the clinic's name in the same round trip.
 */
export async function insertCall(
  em: EntityManager,
  row: NewCall,
): Promise<(LockedCall & { isClinicFull: boolean }) | null> {
  const { metadata } = await sealRow<Pick<CallRow, keyof NewCall>>(em, 'call', row);
  const inserted = await firstRow<RawRow & { tenant_name: string; is_full: boolean | null }>(em)`
    INSERT INTO call (
      id, tenant_id, telephony_call_control_id, from_number_sealed, to_number_sealed, from_number_hash, to_number_hash,
      started_at, metadata
    )
    VALUES (
      ${row.id}, ${row.tenantId}, ${row.telephonyCallControlId}, ${row.fromNumberSealed}, ${row.toNumberSealed},
      ${row.fromNumberHash}, ${row.toNumberHash}, ${row.startedAt}, ${JSON.stringify(metadata)}::jsonb
    )
    ON CONFLICT DO NOTHING
    RETURNING
      *,
      (SELECT name FROM tenant WHERE tenant.id = call.tenant_id) AS tenant_name,
      (
        SELECT calls >= max_calls
        FROM clinic_usage JOIN tenant ON tenant.id = clinic_usage.tenant_id
        WHERE tenant.id = call.tenant_id
      ) AS is_full
  `;
  if (!inserted) return null;
  const { tenant_name: tenantName, is_full: isFull, ...columns } = inserted;
  const call = em.map(CallEntity, columns);
  return { call, tenantName, now: call.createdAt, isClinicFull: isFull === true };
}
