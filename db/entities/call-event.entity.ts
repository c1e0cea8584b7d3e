import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';
import type { CallEventType } from '../../domain/calls/call.ts';
import { millisecondInstant } from '../connection/column-types.ts';

/** What was said and done in a call. Health data. */
export const CallEventEntity = defineEntity({
  name: 'CallEvent',
  tableName: 'call_event',
  properties: {
    id: p.uuid().primary().defaultRaw('uuid_v7()'),
    tenantId: p.uuid(),
    callId: p.uuid(),
    sequence: p.integer(),
    eventType: p.text().$type<CallEventType>(),
    transcript: p.text().strictNullable(),
    toolName: p.text().strictNullable(),
    toolInput: p.json<Record<string, unknown>>().strictNullable(),
    toolOutput: p.json<Record<string, unknown>>().strictNullable(),
    occurredAt: millisecondInstant(),
  },
});
export type CallEventRow = InferEntity<typeof CallEventEntity>;
