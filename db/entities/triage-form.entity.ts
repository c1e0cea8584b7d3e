import type { Opened, Sealed } from '../../domain/encryption/sealed-value.ts';
import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';

/** A patient's intake form before an appointment; at most one each. Health data. */
export const TriageFormEntity = defineEntity({
  name: 'TriageForm',
  tableName: 'triage_form',
  properties: {
    appointmentId: p.uuid().primary(),
    tenantId: p.uuid(),
    answers: p.json<Sealed<Record<string, unknown>>>(),
    createdAt: p.datetime(3),
  },
});
/** As it is stored. */
export type StoredTriageForm = InferEntity<typeof TriageFormEntity>;
export type TriageFormRow = Opened<StoredTriageForm>;
