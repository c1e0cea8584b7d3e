import { findBusyBlock } from '../../db/clinic/busy-blocks.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import type { BusyBlockRow } from '../../db/entities/busy-block.entity.ts';
import { notFound } from '../../domain/service-error.ts';

/** The block that the clinic's system calls so. Errors: `not_found`. */
export async function requireBusyBlock(
  em: EntityManager,
  tenantId: string,
  externalId: string,
): Promise<BusyBlockRow> {
  const block = await findBusyBlock(em, { tenantId, externalId });
  if (!block) throw notFound('busy block', externalId);
  return block;
}
