import type { Opened, Sealed } from '../../../domain/encryption/sealed-value.ts';
import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';
import type { CallEventType, CallSpeaker } from '../../../domain/calls/call.ts';

/** A transcript event of a call. Health data. */
export const CallEventEntity = defineEntity({
  name: 'CallEvent',
  tableName: 'call_event',
  properties: {
    id: p.uuid().primary().defaultRaw('uuid_v7()'),
    tenantId: p.uuid(),
    callId: p.uuid(),
    sequence: p.integer(),
    eventType: p.text().$type<CallEventType>(),
    speaker: p.text().$type<CallSpeaker>().strictNullable(),
    transcript: p.text().$type<Sealed<string>>().strictNullable(),
    toolName: p.text().strictNullable(),
    toolInput: p.json<Sealed<Record<string, unknown>>>().strictNullable(),
    toolOutput: p.json<Sealed<Record<string, unknown>>>().strictNullable(),
    occurredAt: p.datetime(3),
  },
});
/** As it is stored. */
export type StoredCallEvent = InferEntity<typeof CallEventEntity>;
export type CallEventRow = Opened<StoredCallEvent>;
