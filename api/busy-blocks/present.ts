import type { BusyBlockRow } from '../../db/entities/busy-block.entity.ts';

/** docs/availability.md#busy-blocks */
export function presentBusyBlock(row: BusyBlockRow) {
  return {
    id: row.id,
    externalId: row.externalId,
    professionalId: row.professionalId,
    startsAt: row.startsAt.toISOString(),
    endsAt: row.endsAt.toISOString(),
    title: row.title,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
