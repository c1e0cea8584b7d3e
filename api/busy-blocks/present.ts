import { presenter } from '../../domain/presented.schema.ts';
import { busyBlockSchema } from './contract.ts';

/** docs/availability.md#busy-blocks */
export const presentBusyBlock = presenter(busyBlockSchema);
