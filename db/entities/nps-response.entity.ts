import type { Opened, Sealed } from '../../domain/encryption/sealed-value.ts';
import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';

/** A patient's feedback after an appointment; at most one each. */
export const NpsResponseEntity = defineEntity({
  name: 'NpsResponse',
  tableName: 'nps_response',
  properties: {
    appointmentId: p.uuid().primary(),
    tenantId: p.uuid(),
    score: p.integer(),
    comment: p.text().$type<Sealed<string>>().strictNullable(),
    createdAt: p.datetime(3),
  },
});
/** As it is stored. */
export type StoredNpsResponse = InferEntity<typeof NpsResponseEntity>;
export type NpsResponseRow = Opened<StoredNpsResponse>;
