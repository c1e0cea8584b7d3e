import type { EntitySchema } from '@mikro-orm/postgresql';
import type { RawBuilder } from 'kysely';
import type { SealedFields } from '../../domain/encryption/sealed-fields.ts';
import type { Opened } from '../../domain/encryption/sealed-value.ts';
import type { EntityManager } from '../connection/open-database.ts';
import { rowReader, type RawRow } from '../connection/row-reader.ts';
import { openRow, openRows, sealRows } from './field-seal.ts';

/** `rowReader` of a table with sealed fields: whoever reads it has them opened, and whoever writes it sealed. */
export interface SealedReader<Stored> {
  table: string;
  columns: RawBuilder<unknown>;
  columnsBut(...leftOut: (keyof Stored)[]): RawBuilder<unknown>;
  /** @throws SecretUnreadableError */
  read(em: EntityManager, raw: RawRow): Promise<Opened<Stored>>;
  /** @throws SecretUnreadableError */
  readAll(em: EntityManager, raws: readonly RawRow[]): Promise<Opened<Stored>[]>;
  /** Each with its clinic and what names the row. */
  toRecords(em: EntityManager, rows: readonly Partial<Opened<Stored>>[]): Promise<RawRow[]>;
}

export function sealedReader<Stored extends { tenantId: string }>(
  entity: EntitySchema,
  fields: SealedFields,
): SealedReader<Stored> {
  const reader = rowReader<Stored>(entity);
  return {
    table: reader.table,
    columns: reader.columns,
    columnsBut: (...leftOut) => reader.columnsBut(...leftOut),
    read: (em, raw) => openRow(em, fields, reader.read(em, raw)),
    readAll: (em, raws) =>
      openRows(
        em,
        fields,
        raws.map((raw) => reader.read(em, raw)),
      ),
    toRecords: async (em, rows) =>
      (await sealRows<Stored>(em, fields, rows as readonly Opened<Stored>[])).map((row) =>
        reader.toRecord(row),
      ),
  };
}
