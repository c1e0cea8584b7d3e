import type { CallNumberSeal } from '../../adapters/phones/call-numbers.ts';
import { closeCallBacks, reopenCallBacks } from '../../db/calls/list-calls.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import type { CallRow } from '../../db/entities/calls/call.entity.ts';
import { needsCallBack } from '../../domain/calls/call-back.ts';
import { recordAudit, type CommandContext } from '../command-context.ts';
import { requireLockedCall } from './require-call.ts';

export interface CallToReturn {
  tenantId: string;
  callId: string;
  numbers: CallNumberSeal;
}

/**
 * Records that the caller was called back, for this call and earlier calls from the same caller. If this was already
 * recorded, the first time is kept. A call that needs no call back is not changed. Errors: `not_found`.
 */
export async function markCalledBack(
  em: EntityManager,
  { tenantId, callId, numbers }: CallToReturn,
  context: CommandContext,
): Promise<void> {
  const { call, now } = await requireLockedCall(em, tenantId, callId);
  if (!needsCallBack(call, now)) return;
  await separate(em, call, numbers);
  const calls = await closeCallBacks(em, call, { at: now, by: context.actor });
  const audited = { action: 'call.called_back', tenantId, subjectId: callId, details: { calls } } as const;
  await recordAudit(em, audited, context);
}

/** Marks a call as not called back again. A call that still needs a call back is not changed. Errors: `not_found`. */
export async function reopenCallBack(
  em: EntityManager,
  { tenantId, callId, numbers }: CallToReturn,
  context: CommandContext,
): Promise<void> {
  const { call } = await requireLockedCall(em, tenantId, callId);
  if (call.calledBackAt === null) return;
  await separate(em, call, numbers);
  await reopenCallBacks(em, call);
  await recordAudit(em, { action: 'call.call_back_reopened', tenantId, subjectId: callId }, context);
}

/**
 * Separates the call from other callers' calls for which the carrier sent the same text instead of a withheld number.
 */
async function separate(em: EntityManager, call: CallRow, numbers: CallNumberSeal): Promise<void> {
  call.fromNumberHash = numbers.callerOf(call).hash;
  await em.flush();
}
