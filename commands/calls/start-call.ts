import type { CallNumbers, CallNumberSeal } from '../../adapters/phones/call-numbers.ts';
import { openRow } from '../../db/encryption/field-seal.ts';
import { insertCall } from '../../db/calls/insert-call.ts';
import type { CallRow } from '../../db/entities/call.entity.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { refuseDifferent } from './already-recorded.ts';
import { callInStartedEvent } from './call-event.ts';
import type { CommandContext } from '../command-context.ts';
import { requireCall } from './require-call.ts';
import { recordEventOf } from '../webhooks/record-event.ts';

export interface StartCall extends CallNumbers {
  tenantId: string;
  callId: string;
  startedAt: Date;
  telephonyCallControlId: string | null;
  metadata: Record<string, unknown>;
}

/** What an ingest command did: `isNew` is false for an identical repeat, which changes nothing and emits nothing. */
export interface Recorded<T> {
  recorded: T;
  isNew: boolean;
}

/**
 * Records that a call has begun, with `call.started`. Another clinic's id is as unknown as any other.
 * Errors: `not_found`, `external_id_conflict`. docs/calls.md#repeats
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
