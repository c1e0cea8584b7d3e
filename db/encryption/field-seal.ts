import {
  fieldPlace,
  isSealedText,
  SEALED_FIELDS,
  type SealedFields,
  type SealedKind,
} from '../../domain/encryption/sealed-fields.ts';
import type { Opened } from '../../domain/encryption/sealed-value.ts';
import { cipherOf } from '../connection/cipher-of.ts';
import type { EntityManager } from '../connection/open-database.ts';
import { inSlices } from '../connection/work-slices.ts';

interface RowOfClinic {
  tenantId: string;
}

/** Decrypts rows of any clinics. @throws SecretUnreadableError */
export function openRows<Row extends RowOfClinic>(
  em: EntityManager,
  kind: SealedKind,
  rows: readonly Row[],
): Promise<Opened<Row>[]> {
  return inSlices(rows[0]?.tenantId ?? '', rows, (row) => openRow(em, kind, row));
}

export async function openRow<Row extends RowOfClinic>(em: EntityManager, kind: SealedKind, row: Row) {
  const cipher = await cipherOf(em, row.tenantId);
  const fields: SealedFields = SEALED_FIELDS[kind];
  const opened = { ...row } as Record<string, unknown>;
  for (const field of fields.fields) {
    const stored = opened[field.property];
    if (typeof stored !== 'string' || !isSealedText(stored)) continue;
    const text = cipher.decrypt(stored, fieldPlace(fields, placeOf(fields, row), field));
    opened[field.property] = field.isJson ? JSON.parse(text) : text;
  }
  return opened as Opened<Row>;
}

/** Encrypts rows of any clinics. Fields that a row does not have are left out. */
export function sealRows<Row extends RowOfClinic>(
  em: EntityManager,
  kind: SealedKind,
  rows: readonly Opened<Row>[],
): Promise<Row[]> {
  return Array.fromAsync(rows, (row) => sealRow<Row>(em, kind, row));
}

export async function sealRow<Row extends RowOfClinic>(
  em: EntityManager,
  kind: SealedKind,
  row: Opened<Row>,
): Promise<Row> {
  const cipher = await cipherOf(em, (row as RowOfClinic).tenantId);
  const fields: SealedFields = SEALED_FIELDS[kind];
  const sealed = { ...row } as Record<string, unknown>;
  for (const field of fields.fields) {
    const value = sealed[field.property];
    if (typeof value === 'string' || value === null) Object.assign(sealed, field.hashes?.(cipher, value));
    if (saysNothing(value)) continue;
    const text = field.isJson ? JSON.stringify(value) : String(value);
    sealed[field.property] = cipher.encrypt(text, fieldPlace(fields, placeOf(fields, row), field));
  }
  return sealed as unknown as Row;
}

function saysNothing(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

function placeOf({ key }: SealedFields, row: object): { tenantId: string; row: string } {
  const values = row as Record<string, unknown> & RowOfClinic;
  return { tenantId: values.tenantId, row: key.map((property) => String(values[property])).join(':') };
}
