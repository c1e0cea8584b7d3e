import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';
import { millisecondInstant } from '../connection/column-types.ts';

/** A patient's answer to the text message after a visit; one for each appointment. */
export const NpsResponseEntity = defineEntity({
  name: 'NpsResponse',
  tableName: 'nps_response',
  properties: {
    appointmentId: p.uuid().primary(),
    tenantId: p.uuid(),
    score: p.integer(),
    comment: p.text().strictNullable(),
    createdAt: millisecondInstant(),
  },
});
export type NpsResponseRow = InferEntity<typeof NpsResponseEntity>;
