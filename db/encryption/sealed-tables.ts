import { sql, type RawBuilder } from 'kysely';
import { SEALED_FIELDS, type SealedFields } from '../../domain/encryption/sealed-fields.ts';

export interface SealedColumn {
  name: string;
  /** jsonb: a text that is sealed stands there as a JSON string. */
  isJson?: boolean;
  /** Stands in the place of what was erased, and is not sealed. */
  placeholder?: string | undefined;
}

/** A table that holds encrypted texts. */
export interface SealedTable {
  name: string;
  /** What progress and counts call these texts, where a table holds others too; else as the table. */
  part?: string;
  /** Unique together, and the order of an index. */
  key: readonly { column: string; type: RawBuilder<unknown> }[];
  /** What the texts belong to, as `SealedRow` names it. */
  owner: RawBuilder<unknown>;
  columns: readonly SealedColumn[];
  /** With ENCRYPTION_KEY itself, or with the key of the row's clinic. */
  sealedBy: 'master' | 'clinic';
  /** When the rows go by themselves; null when they stay. */
  goesAt: RawBuilder<unknown>;
}

/** What most of them have in common. */
const USUAL = { goesAt: sql`NULL::timestamptz`, sealedBy: 'clinic' } as const;
const BY_ID = { key: [{ column: 'id', type: sql`uuid` }], owner: sql.ref('id') } as const;

export const CLINIC_KEYS: SealedTable = {
  ...USUAL,
  name: 'clinic_key',
  key: [{ column: 'tenant_id', type: sql`uuid` }],
  owner: sql.ref('tenant_id'),
  columns: [{ name: 'sealed' }],
  sealedBy: 'master',
};

export const WEBHOOK_SECRETS: SealedTable = {
  ...USUAL,
  ...BY_ID,
  name: 'webhook_secret',
  owner: sql.ref('endpoint_id'),
  columns: [{ name: 'ciphertext' }],
};

export const CALLS: SealedTable = {
  ...USUAL,
  ...BY_ID,
  name: 'call',
  columns: [{ name: 'from_number_sealed' }, { name: 'to_number_sealed' }],
};

export const EVENT_BODIES: SealedTable = {
  ...USUAL,
  ...BY_ID,
  name: 'webhook_event',
  key: [{ column: 'id', type: sql`text` }],
  columns: [{ name: 'body' }],
};

export const KEPT_ANSWERS: SealedTable = {
  ...USUAL,
  name: 'idempotency_record',
  key: [
    { column: 'tenant_id', type: sql`uuid` },
    { column: 'key_hash', type: sql`bytea` },
  ],
  owner: sql`encode(key_hash, 'hex')`,
  columns: [{ name: 'sealed' }],
  goesAt: sql.ref('expires_at'),
};

/** The tables whose rows hold fields that are sealed one by one. */
export const FIELD_TABLES: readonly { fields: SealedFields; table: SealedTable }[] = Object.values(
  SEALED_FIELDS,
).map((fields: SealedFields) => ({ fields, table: tableOf(fields) }));

function tableOf({ table, key, fields }: SealedFields): SealedTable {
  return {
    ...USUAL,
    name: table,
    ...(table === CALLS.name && { part: 'call.metadata' }),
    key: key.map(({ column, type }) => ({ column, type: sql.raw(type) })),
    owner: sql`concat_ws(':', ${sql.join(key.map(({ column }) => sql.ref(column)))})`,
    columns: fields.map(({ column: name, isJson, placeholder }) => ({ name, isJson, placeholder })),
  };
}

export function partOf({ name, part = name }: SealedTable): string {
  return part;
}
