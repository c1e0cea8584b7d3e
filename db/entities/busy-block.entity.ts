import type { Opened, Sealed } from '../../domain/encryption/sealed-value.ts';
import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';
import { millisecondInstant } from '../connection/column-types.ts';

/** When a professional, or with none the whole clinic, cannot be booked. */
export const BusyBlockEntity = defineEntity({
  name: 'BusyBlock',
  tableName: 'busy_block',
  properties: {
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    externalId: p.text(),
    professionalId: p.uuid().strictNullable(),
    startsAt: millisecondInstant(),
    endsAt: millisecondInstant(),
    title: p.text().$type<Sealed<string>>().strictNullable(),
    createdAt: millisecondInstant().defaultRaw('now()'),
    updatedAt: millisecondInstant().defaultRaw('now()'),
  },
});
/** As it is stored. */
export type StoredBusyBlock = InferEntity<typeof BusyBlockEntity>;
export type BusyBlockRow = Opened<StoredBusyBlock>;
