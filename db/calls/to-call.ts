import { CallEntity, type CallRow } from '../entities/call.entity.ts';
import type { EntityManager } from '../connection/open-database.ts';
import { rowReader, type RawRow } from '../connection/row-reader.ts';

const reader = rowReader<CallRow>(CallEntity);

/** What a list shows; `metadata` may be 16 KiB for each call. */
export const LISTED_COLUMNS = reader.columns('metadata');

export function toCall(em: EntityManager, raw: RawRow): CallRow {
  return reader.read(em, raw);
}
