import type { Opened, Sealed } from '../../domain/encryption/sealed-value.ts';
import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';

/** A time when a professional, or the whole clinic, cannot be booked. */
export const BusyBlockEntity = defineEntity({
  name: 'BusyBlock',
  tableName: 'busy_block',
  properties: {
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    externalId: p.text(),
    professionalId: p.uuid().strictNullable(),
    startsAt: p.datetime(3),
    endsAt: p.datetime(3),
    title: p.text().$type<Sealed<string>>().strictNullable(),
    createdAt: p.datetime(3).defaultRaw('now()'),
    updatedAt: p.datetime(3).defaultRaw('now()'),
  },
});
/** As it is stored. */
export type StoredBusyBlock = InferEntity<typeof BusyBlockEntity>;
export type BusyBlockRow = Opened<StoredBusyBlock>;
