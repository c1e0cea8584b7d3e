import type { CallNumbers, CallNumberSeal } from '../../adapters/phones/call-numbers.ts';
import { openRow } from '../../db/encryption/field-seal.ts';
import { insertCall } from '../../db/calls/locked-call.ts';
import type { CallRow } from '../../db/entities/calls/call.entity.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import type { CallRecordingRow } from '../../db/entities/calls/call-recording.entity.ts';
import { NO_EVIDENCE, splitEvidence, type CallEvidence } from '../../domain/calls/call-evidence.ts';
import { addEvidence } from './add-evidence.ts';
import { refuseDifferent, type Recorded } from './already-recorded.ts';
import { clinicLimitReached } from '../clinic/clinic-limit.ts';
import type { CommandContext } from '../command-context.ts';
import { requireLockedCall } from './require-call.ts';
import { recordEventOf } from '../webhooks/record-event.ts';
import { releaseHoldsOfCall } from '../../db/appointments/slot-holds.ts';
import { callDurationSeconds, type CallOutcome } from '../../domain/calls/call.ts';
import { fieldError } from '../../domain/service-error.ts';

export interface StartCall extends CallNumbers, Partial<CallEvidence> {
  tenantId: string;
  callId: string;
  startedAt: Date;
  telephonyCallControlId: string | null;
  metadata: Record<string, unknown>;
}

export interface RecordedCall extends Recorded<CallRow> {
  /** Erased because the caller refuses to be recorded; its bytes can be deleted after the commit. */
  erased: CallRecordingRow | null;
}

/**
 * Records the start of a call, with `call.started`. A repeat may add evidence. Another clinic's id is treated as unknown.
 * Errors: `not_found`, `external_id_conflict`, `clinic_limit_reached`. docs/calls.md#repeats
 */
export async function startCall(
  em: EntityManager,
  input: StartCall,
  numbers: CallNumberSeal,
  context: CommandContext,
): Promise<RecordedCall> {
  const { tenantId, callId: id } = input;
  const inserted = await insertCall(em, {
    ...NO_EVIDENCE,
    ...input,
    id,
    ...numbers.seal({ tenantId, id }, input),
  });
  if (!inserted) return repeatStart(em, input, numbers, context);
  if (inserted.isClinicFull) throw clinicLimitReached('calls');
  const { call } = inserted;
  const data = { call: callInStartedEvent(call, numbers) };
  await recordEventOf(em, inserted, { tenantId, type: 'call.started', data }, context);
  return { recorded: call, isNew: true, erased: null };
}

async function repeatStart(
  em: EntityManager,
  input: StartCall,
  numbers: CallNumberSeal,
  context: CommandContext,
): Promise<RecordedCall> {
  const { call, now } = await requireLockedCall(em, input.tenantId, input.callId);
  const { fromNumber, toNumber, startedAt, telephonyCallControlId, metadata } = input;
  const stored = await openRow(em, 'call', call);
  const { added, repeated } = splitEvidence(input, stored);
  const wanted = { fromNumber, toNumber, startedAt, telephonyCallControlId, metadata, ...repeated };
  refuseDifferent('This call', wanted, { ...stored, ...numbers.open(call) });
  return { recorded: call, isNew: false, erased: await addLater(em, { call, now }, added, context) };
}

export interface CompleteCall extends Partial<CallEvidence> {
  tenantId: string;
  callId: string;
  endedAt: Date;
  outcome: CallOutcome;
  transcriptionWordCount: number | null;
}

/**
 * Records the end of a call, with `call.completed`, and releases its holds. Errors: `not_found`, `validation_failed`
 * (an end before the start), `external_id_conflict` (another end or other evidence is recorded).
 */
export async function completeCall(
  em: EntityManager,
  { tenantId, callId, endedAt, outcome, transcriptionWordCount, ...sent }: CompleteCall,
  numbers: CallNumberSeal,
  context: CommandContext,
): Promise<RecordedCall> {
  const locked = await requireLockedCall(em, tenantId, callId);
  const { call, now } = locked;
  const end = { endedAt, outcome, transcriptionWordCount };
  const isRepeat = call.status === 'completed';
  const stored = await openRow(em, 'call', call);
  const { added, repeated } = splitEvidence(sent, stored);
  refuseDifferent('The end of this call', { ...(isRepeat && end), ...repeated }, { ...stored });
  if (isRepeat)
    return { recorded: call, isNew: false, erased: await addLater(em, { call, now }, added, context) };
  if (endedAt < call.startedAt) throw fieldError('body.endedAt', 'The call cannot end before it started.');
  const changes = { ...end, status: 'completed', updatedAt: now } as const;
  const erased = await addEvidence(em, call, { added, changes }, context);
  await releaseHoldsOfCall(em, tenantId, callId);
  const data = { call: callInCompletedEvent(call, numbers) };
  await recordEventOf(em, locked, { tenantId, type: 'call.completed', data }, context);
  return { recorded: call, isNew: true, erased };
}

/** Evidence that comes with a repeated request. */
async function addLater(
  em: EntityManager,
  { call, now }: { call: CallRow; now: Date },
  added: Partial<CallEvidence>,
  context: CommandContext,
): Promise<CallRecordingRow | null> {
  if (Object.keys(added).length === 0) return null;
  return addEvidence(em, call, { added, changes: { updatedAt: now } }, context);
}

/** The call as shown in `call.started`: the fields of `call.completed` that are already known. */
export function callInStartedEvent(call: CallRow, numbers: CallNumberSeal) {
  return {
    id: call.id,
    fromNumber: numbers.open(call).fromNumber,
    startedAt: call.startedAt.toISOString(),
  };
}

/** docs/events.md#calls */
export function callInCompletedEvent(call: CallRow, numbers: CallNumberSeal) {
  return {
    ...callInStartedEvent(call, numbers),
    endedAt: call.endedAt?.toISOString() ?? null,
    durationSeconds: callDurationSeconds(call),
    outcome: call.outcome,
  };
}
