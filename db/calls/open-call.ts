import { SEALED_FIELDS } from '../../domain/encryption/sealed-fields.ts';
import type { Opened } from '../../domain/encryption/sealed-value.ts';
import type { EntityManager } from '../connection/open-database.ts';
import { openRow } from '../encryption/field-seal.ts';
import type { CallRow } from '../entities/call.entity.ts';

/** A call with its metadata as they were given; its numbers are opened by who may see them. */
export type OpenedCall = Opened<CallRow>;

/** @throws SecretUnreadableError */
export function openCall(em: EntityManager, call: CallRow): Promise<OpenedCall> {
  return openRow(em, SEALED_FIELDS.call, call);
}
