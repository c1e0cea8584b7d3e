import { sql } from 'kysely';
import type { CallRow } from '../entities/call.entity.ts';
import type { EntityManager } from '../connection/open-database.ts';
import { instantAfter } from '../connection/instant-after.ts';
import type { RawRow } from '../connection/row-reader.ts';
import { toCall } from './to-call.ts';

export interface LockedCall {
  call: CallRow;
  tenantName: string;
  /** The instant of what is done, by the database's clock once the row is held; always after the row's last change. */
  now: Date;
}

/** Reads a call with its clinic's name and holds it until the transaction ends; null when there is none. */
export async function lockCall(
  em: EntityManager,
  tenantId: string,
  callId: string,
): Promise<LockedCall | null> {
  const { rows } = await sql<RawRow & { tenant_name: string; now: string }>`
    SELECT locked.*, ${instantAfter(sql`updated_at`)} AS now
    FROM (
      SELECT call.*, tenant.name AS tenant_name
      FROM call
      JOIN tenant ON tenant.id = call.tenant_id
      WHERE call.tenant_id = ${tenantId}
        AND call.id = ${callId}
      FOR NO KEY UPDATE OF call
    ) locked
  `.execute(em.getKysely());
  const [row] = rows;
  if (!row) return null;
  const { tenant_name: tenantName, now, ...columns } = row;
  return { call: toCall(em, columns), tenantName, now: em.getPlatform().parseDate(now) };
}

export async function findCall(em: EntityManager, tenantId: string, callId: string): Promise<CallRow | null> {
  const { rows } = await sql<RawRow>`
    SELECT * FROM call WHERE tenant_id = ${tenantId} AND id = ${callId}
  `.execute(em.getKysely());
  return rows[0] ? toCall(em, rows[0]) : null;
}

export type NewCall = Pick<
  CallRow,
  | 'id'
  | 'tenantId'
  | 'telephonyCallControlId'
  | 'fromNumberSealed'
  | 'toNumberSealed'
  | 'fromNumberHash'
  | 'startedAt'
  | 'metadata'
>;

/** Inserts a call in progress, or returns null when its id is taken, by whatever clinic. */
export async function insertCall(em: EntityManager, row: NewCall): Promise<LockedCall | null> {
  const { rows } = await sql<RawRow & { tenant_name: string }>`
    INSERT INTO call (
      id, tenant_id, telephony_call_control_id, from_number_sealed, to_number_sealed, from_number_hash, started_at,
      metadata
    )
    VALUES (
      ${row.id}, ${row.tenantId}, ${row.telephonyCallControlId}, ${row.fromNumberSealed}, ${row.toNumberSealed},
      ${row.fromNumberHash}, ${row.startedAt}, ${JSON.stringify(row.metadata)}::jsonb
    )
    ON CONFLICT DO NOTHING
    RETURNING *, (SELECT name FROM tenant WHERE tenant.id = call.tenant_id) AS tenant_name
  `.execute(em.getKysely());
  const [inserted] = rows;
  if (!inserted) return null;
  const { tenant_name: tenantName, ...columns } = inserted;
  const call = toCall(em, columns);
  return { call, tenantName, now: call.createdAt };
}

export type CallEnd = Pick<CallRow, 'outcome' | 'transcriptionWordCount'> & { endedAt: Date };

/** Writes the end over a locked call. */
export async function completeCallRow(
  em: EntityManager,
  { call: locked, now }: LockedCall,
  end: CallEnd,
): Promise<CallRow> {
  const { rows } = await sql<RawRow>`
    UPDATE call
    SET status = 'completed',
        ended_at = ${end.endedAt},
        outcome = ${end.outcome},
        transcription_word_count = ${end.transcriptionWordCount},
        updated_at = ${now}
    WHERE tenant_id = ${locked.tenantId}
      AND id = ${locked.id}
    RETURNING *
  `.execute(em.getKysely());
  const [row] = rows;
  if (!row) throw new Error('a locked call was gone when it was written');
  return toCall(em, row);
}
