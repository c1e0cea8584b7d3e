import { listBusyBlocks, type BusyBlockFilter } from '../../db/clinic/busy-blocks.ts';
import { findProfessionalNames } from '../../db/clinic/professionals.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import type { BusyBlockRow } from '../../db/entities/busy-block.entity.ts';

export interface ShownBlock extends BusyBlockRow {
  /** The professional's name; null for the whole clinic. */
  professionalName: string | null;
}

/** The clinic's blocks by (`startsAt`, `id`), with names. */
export async function listShownBlocks(
  em: EntityManager,
  ...wanted: [BusyBlockFilter, Parameters<typeof listBusyBlocks>[2]]
): Promise<ShownBlock[]> {
  const blocks = await listBusyBlocks(em, ...wanted);
  return withNames(em, wanted[0].tenantId, blocks);
}

export async function withNames(
  em: EntityManager,
  tenantId: string,
  blocks: readonly BusyBlockRow[],
): Promise<ShownBlock[]> {
  const ids = new Set(blocks.flatMap(({ professionalId }) => professionalId ?? []));
  const names = await findProfessionalNames(em, tenantId, ids);
  return blocks.map((block) => ({
    ...block,
    professionalName: names.get(block.professionalId ?? '') ?? null,
  }));
}
