import type { Opened, Sealed } from '../../../domain/encryption/sealed-value.ts';
import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';
import type { CallOutcome, CallStatus, RecordingConsent } from '../../../domain/calls/call.ts';

export const CallEntity = defineEntity({
  name: 'Call',
  tableName: 'call',
  properties: {
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    telephonyCallControlId: p.text().strictNullable(),
    /** Encrypted; bound to the call's id. */
    fromNumberSealed: p.text(),
    toNumberSealed: p.text(),
    fromNumberHash: p.text(),
    toNumberHash: p.text(),
    status: p.text().$type<CallStatus>().default('in_progress'),
    outcome: p.text().$type<CallOutcome>().strictNullable(),
    startedAt: p.datetime(3),
    endedAt: p.datetime(3).strictNullable(),
    transcriptionWordCount: p.integer().strictNullable(),
    /** When the caller was called back, and by whom, as in the audit. */
    calledBackAt: p.datetime(3).strictNullable(),
    calledBackBy: p.text().strictNullable(),
    /** Evidence; null: not sent. */
    aiDisclosedAt: p.datetime(3).strictNullable(),
    recordingConsent: p.text().$type<RecordingConsent>().strictNullable(),
    language: p.text().strictNullable(),
    /** Empty once it was erased. */
    summary: p.text().$type<Sealed<string>>().strictNullable(),
    metadata: p.json<Sealed<Record<string, unknown>>>().defaultRaw(`'{}'`),
    createdAt: p.datetime(3).defaultRaw('now()'),
    updatedAt: p.datetime(3).defaultRaw('now()'),
  },
});
export type CallRow = InferEntity<typeof CallEntity>;
/** With decrypted metadata and summary; its numbers are decrypted by code that may show them. */
export type OpenedCall = Opened<CallRow>;
