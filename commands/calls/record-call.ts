import type { CallNumbers, CallNumberSeal } from '../../adapters/phones/call-numbers.ts';
import { openRow } from '../../db/encryption/field-seal.ts';
import { insertCall } from '../../db/calls/locked-call.ts';
import type { CallRow } from '../../db/entities/call.entity.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { refuseDifferent, type Recorded } from './already-recorded.ts';
import { clinicLimitReached } from '../clinic/clinic-limit.ts';
import type { CommandContext } from '../command-context.ts';
import { requireLockedCall, requireCall } from './require-call.ts';
import { recordEventOf } from '../webhooks/record-event.ts';
import { releaseHoldsOfCall } from '../../db/appointments/slot-holds.ts';
import { callDurationSeconds, type CallOutcome } from '../../domain/calls/call.ts';
import { fieldError } from '../../domain/service-error.ts';

export interface StartCall extends CallNumbers {
  tenantId: string;
  callId: string;
  startedAt: Date;
  telephonyCallControlId: string | null;
  metadata: Record<string, unknown>;
}

/**
 * Records the start of a call, with `call.started`. Another clinic's id is treated as unknown. Errors: `not_found`,
 * `external_id_conflict`, `clinic_limit_reached`. docs/calls.md#repeats
 */
export async function startCall(
  em: EntityManager,
  input: StartCall,
  numbers: CallNumberSeal,
  context: CommandContext,
): Promise<Recorded<CallRow>> {
  const { tenantId, callId: id } = input;
  const inserted = await insertCall(em, { ...input, id, ...numbers.seal({ tenantId, id }, input) });
  if (!inserted) return { recorded: await findSame(em, input, numbers), isNew: false };
  if (inserted.isClinicFull) throw clinicLimitReached('calls');
  const { call } = inserted;
  const data = { call: callInStartedEvent(call, numbers) };
  await recordEventOf(em, inserted, { tenantId, type: 'call.started', data }, context);
  return { recorded: call, isNew: true };
}

async function findSame(em: EntityManager, input: StartCall, numbers: CallNumberSeal): Promise<CallRow> {
  const call = await requireCall(em, input.tenantId, input.callId);
  const { fromNumber, toNumber, startedAt, telephonyCallControlId, metadata } = input;
  const wanted = { fromNumber, toNumber, startedAt, telephonyCallControlId, metadata };
  refuseDifferent('This call', wanted, { ...(await openRow(em, 'call', call)), ...numbers.open(call) });
  return call;
}

export interface CompleteCall {
  tenantId: string;
  callId: string;
  endedAt: Date;
  outcome: CallOutcome;
  transcriptionWordCount: number | null;
}

/**
 * Records the end of a call, with `call.completed`, and releases its holds. Errors: `not_found`, `validation_failed`
 * (an end before the start), `external_id_conflict` (another end is recorded).
 */
export async function completeCall(
  em: EntityManager,
  { tenantId, callId, ...end }: CompleteCall,
  numbers: CallNumberSeal,
  context: CommandContext,
): Promise<Recorded<CallRow>> {
  const locked = await requireLockedCall(em, tenantId, callId);
  const { call, now } = locked;
  if (call.status === 'completed') {
    refuseDifferent('The end of this call', end, call);
    return { recorded: call, isNew: false };
  }
  if (end.endedAt < call.startedAt)
    throw fieldError('body.endedAt', 'The call cannot end before it started.');
  em.assign(call, { ...end, status: 'completed', updatedAt: now });
  await em.flush();
  await releaseHoldsOfCall(em, tenantId, callId);
  const data = { call: callInCompletedEvent(call, numbers) };
  await recordEventOf(em, locked, { tenantId, type: 'call.completed', data }, context);
  return { recorded: call, isNew: true };
}

/** The call in `call.started`: the fields of `call.completed` that are already known. */
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
