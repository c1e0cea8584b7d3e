import type { BusyBlockRow } from '../../db/entities/busy-block.entity.ts';
import { presented } from '../contract/presented.ts';
import { busyBlockSchema } from './contract.ts';

/** docs/availability.md#busy-blocks */
export function presentBusyBlock(row: BusyBlockRow) {
  return presented(busyBlockSchema, row);
}
