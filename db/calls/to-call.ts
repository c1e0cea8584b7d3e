import { sql } from 'kysely';
import type { CallRow } from '../entities/call.entity.ts';
import type { EntityManager } from '../connection/open-database.ts';
import { rowReader, type RawRow } from '../connection/row-reader.ts';

const columns = {
  id: 'id',
  tenantId: 'tenant_id',
  telephonyCallControlId: 'telephony_call_control_id',
  fromNumberSealed: 'from_number_sealed',
  toNumberSealed: 'to_number_sealed',
  fromNumberHash: 'from_number_hash',
  status: 'status',
  outcome: 'outcome',
  startedAt: 'started_at',
  endedAt: 'ended_at',
  transcriptionWordCount: 'transcription_word_count',
  metadata: 'metadata',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
} as const;

/** What a list shows; `metadata` may be 16 KiB for each call. */
export const LISTED_COLUMNS = sql.join(
  Object.values(columns)
    .filter((column) => column !== columns.metadata)
    .map((column) => sql.ref(column)),
);

const reader = rowReader<CallRow>(columns, ['startedAt', 'endedAt', 'createdAt', 'updatedAt']);

export function toCall(em: EntityManager, raw: RawRow): CallRow {
  return reader.read(em, raw);
}
