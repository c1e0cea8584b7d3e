import type { EntityManager } from '../../db/connection/open-database.ts';
import { countSealedRows, type SealedCount, type SealedRow } from '../../db/encryption/sealed-rows.ts';
import {
  CALLS,
  CLINIC_KEYS,
  EVENT_BODIES,
  FIELD_TABLES,
  KEPT_ANSWERS,
  partOf,
  WEBHOOK_SECRETS,
  type SealedTable,
} from '../../db/encryption/sealed-tables.ts';
import { sealedThroughout } from '../../db/encryption/sealing-progress.ts';
import { fieldPlace } from '../../domain/encryption/sealed-fields.ts';
import {
  callNumber,
  clinicKey,
  endpointSecret,
  eventBody,
  keptAnswer,
  type SealedPlace,
} from '../../domain/encryption/sealed-places.ts';

export interface SealedKind {
  table: SealedTable;
  /** Where each text of a row stands. */
  places: (row: SealedRow) => SealedPlace[];
  /** Earlier versions read them as clear ones alone. */
  isNew?: boolean;
}

/** Everything that is stored encrypted. */
export const SEALED_KINDS: readonly SealedKind[] = [
  { table: CLINIC_KEYS, places: ({ tenantId }) => [clinicKey(tenantId)] },
  { table: WEBHOOK_SECRETS, places: ({ tenantId, owner }) => [endpointSecret(tenantId, owner)] },
  {
    table: CALLS,
    places: ({ tenantId, owner: id }) => [
      callNumber({ tenantId, id }, 'from'),
      callNumber({ tenantId, id }, 'to'),
    ],
  },
  { table: EVENT_BODIES, places: ({ tenantId, owner: id }) => [eventBody({ tenantId, id })] },
  {
    table: KEPT_ANSWERS,
    places: ({ tenantId, owner }) => [keptAnswer(tenantId, Buffer.from(owner, 'hex'), null)],
  },
  ...FIELD_TABLES.map(({ fields, table }) => ({
    table,
    isNew: true,
    places: ({ tenantId, owner: row }: SealedRow) =>
      fields.fields.map((field) => fieldPlace(fields, { tenantId, row }, field)),
  })),
];

/**
 * Of the keys of clinics, which are few, and of the tables that are not sealed throughout yet, in which other keys may be
 * needed.
 */
export async function countUnsettledRows(em: EntityManager): Promise<SealedCount[]> {
  const settled = await sealedThroughout(em);
  const counts: SealedCount[] = [];
  for (const { table } of SEALED_KINDS) {
    if (table === CLINIC_KEYS || !settled.has(partOf(table)))
      counts.push(...(await countSealedRows(em, table)));
  }
  return counts;
}
