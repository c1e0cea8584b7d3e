import { sql, type RawBuilder } from 'kysely';

/** A table that holds encrypted texts; `tenant_id` and `key` together are unique, and the order of an index. */
export interface SealedTable {
  name: 'webhook_secret' | 'call' | 'webhook_event' | 'idempotency_record';
  key: RawBuilder<unknown>;
  keyType: RawBuilder<unknown>;
  /** What the texts belong to, as `SealedRow` names it. */
  owner: RawBuilder<unknown>;
  /** Always sealed together. */
  columns: readonly string[];
  /** Rows without an encrypted text are left out. */
  condition: RawBuilder<unknown>;
  /** When the rows go by themselves; null when they stay. */
  goesAt: RawBuilder<unknown>;
}

const STAYS = { condition: sql`true`, goesAt: sql`NULL::timestamptz` };
const BY_ID = { key: sql.ref('id'), owner: sql.ref('id') };

export const WEBHOOK_SECRETS: SealedTable = {
  ...STAYS,
  ...BY_ID,
  name: 'webhook_secret',
  keyType: sql`uuid`,
  owner: sql.ref('endpoint_id'),
  columns: ['ciphertext'],
};

export const CALLS: SealedTable = {
  ...STAYS,
  ...BY_ID,
  name: 'call',
  keyType: sql`uuid`,
  columns: ['from_number_sealed', 'to_number_sealed'],
};

/** The others begin like the JSON that they are. The index `webhook_event_sealed` has the same condition. */
export const SEALED_EVENTS: SealedTable = {
  ...STAYS,
  ...BY_ID,
  name: 'webhook_event',
  keyType: sql`text`,
  columns: ['body'],
  condition: sql`left(body, 1) <> '{'`,
};

export const KEPT_ANSWERS: SealedTable = {
  ...STAYS,
  name: 'idempotency_record',
  key: sql.ref('key_hash'),
  keyType: sql`bytea`,
  owner: sql`encode(key_hash, 'hex')`,
  columns: ['sealed'],
  goesAt: sql.ref('expires_at'),
};
