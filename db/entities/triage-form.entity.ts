import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';
import { millisecondInstant } from '../connection/column-types.ts';

/** What a patient answered before a visit; one for each appointment. Health data. */
export const TriageFormEntity = defineEntity({
  name: 'TriageForm',
  tableName: 'triage_form',
  properties: {
    appointmentId: p.uuid().primary(),
    tenantId: p.uuid(),
    answers: p.json<Record<string, unknown>>(),
    createdAt: millisecondInstant(),
  },
});
export type TriageFormRow = InferEntity<typeof TriageFormEntity>;
