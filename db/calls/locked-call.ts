import { z } from 'zod';
import type { CallEvidence } from '../../domain/calls/call-evidence.ts';
import { CallEntity, type CallRow, type OpenedCall } from '../entities/calls/call.entity.ts';
import { LOCKED, lockWithClinic, type Locked } from '../connection/locks.ts';
import { columnsExcept, columnsOf, listOf } from '../connection/columns.ts';
import { firstRow, type EntityManager } from '../connection/statements.ts';
import { sealRow } from '../encryption/field-seal.ts';

const STORED_CALL = columnsOf('call', ...columnsExcept('call'));
const CALL_COLUMNS = listOf(STORED_CALL);
const LOCKED_CALL = { table: 'call', columns: CALL_COLUMNS, row: STORED_CALL.extend(LOCKED) };
const INSERTED_CALL = STORED_CALL.extend({ tenantName: z.string(), isFull: z.boolean().nullable() });

export interface LockedCall extends Locked {
  call: CallRow;
}

/** Locks a call until the transaction ends, so that it may be changed. */
export async function lockCall(em: EntityManager, tenantId: string, id: string): Promise<LockedCall | null> {
  const locked = await lockWithClinic(em, LOCKED_CALL, { tenantId, id });
  if (!locked) return null;
  const { tenantName, now, ...row } = locked;
  return { tenantName, now, call: em.map(CallEntity, row, { mapped: true }) };
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
  | keyof CallEvidence
>;

/**
 * Inserts a call in progress; null when any clinic already uses its id. The conflict does not end the transaction. Also
 * reads the clinic's name in the same round trip.
 */
export async function insertCall(
  em: EntityManager,
  row: NewCall,
): Promise<(LockedCall & { isClinicFull: boolean }) | null> {
  const { metadata, summary } = await sealRow<Pick<CallRow, keyof NewCall>>(em, 'call', row);
  const inserted = await firstRow(em, INSERTED_CALL)`
    INSERT INTO call (
      id, tenant_id, telephony_call_control_id, from_number_sealed, to_number_sealed, from_number_hash, to_number_hash,
      started_at, ai_disclosed_at, recording_consent, language, summary, metadata
    )
    VALUES (
      ${row.id}, ${row.tenantId}, ${row.telephonyCallControlId}, ${row.fromNumberSealed}, ${row.toNumberSealed},
      ${row.fromNumberHash}, ${row.toNumberHash}, ${row.startedAt}, ${row.aiDisclosedAt}, ${row.recordingConsent},
      ${row.language}, ${summary}, ${JSON.stringify(metadata)}::jsonb
    )
    ON CONFLICT DO NOTHING
    RETURNING
      ${CALL_COLUMNS},
      (SELECT name FROM tenant WHERE tenant.id = call.tenant_id) AS tenant_name,
      (
        SELECT calls >= max_calls
        FROM clinic_usage JOIN tenant ON tenant.id = clinic_usage.tenant_id
        WHERE tenant.id = call.tenant_id
      ) AS is_full
  `;
  if (!inserted) return null;
  const { tenantName, isFull, ...stored } = inserted;
  const call = em.map(CallEntity, stored, { mapped: true });
  return { call, tenantName, now: call.createdAt, isClinicFull: isFull === true };
}
