import {
  callNumber,
  endpointSecret,
  eventBody,
  keptAnswer,
  type SealedPlace,
} from '../../adapters/sealed-places.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { countSealedRows, type SealedCount, type SealedRow } from '../../db/encryption/sealed-rows.ts';
import {
  CALLS,
  KEPT_ANSWERS,
  SEALED_EVENTS,
  WEBHOOK_SECRETS,
  type SealedTable,
} from '../../db/encryption/sealed-tables.ts';

export interface SealedKind {
  table: SealedTable;
  /** Where each text of a row stands. */
  places: (row: SealedRow) => SealedPlace[];
}

/** Everything that is stored encrypted. */
export const SEALED_KINDS: readonly SealedKind[] = [
  { table: WEBHOOK_SECRETS, places: ({ tenantId, owner }) => [endpointSecret(tenantId, owner)] },
  {
    table: CALLS,
    places: ({ tenantId, owner: id }) => [
      callNumber({ tenantId, id }, 'from'),
      callNumber({ tenantId, id }, 'to'),
    ],
  },
  { table: SEALED_EVENTS, places: ({ tenantId, owner: id }) => [eventBody({ tenantId, id })] },
  {
    table: KEPT_ANSWERS,
    places: ({ tenantId, owner }) => [keptAnswer(tenantId, Buffer.from(owner, 'hex'), null)],
  },
];

/** How many rows of each table each key has sealed. Reads whole tables: for operators. */
export async function countAllSealedRows(em: EntityManager): Promise<SealedCount[]> {
  const counts: SealedCount[] = [];
  for (const { table } of SEALED_KINDS) counts.push(...(await countSealedRows(em, table)));
  return counts;
}
