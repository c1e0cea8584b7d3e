import type { CallNumberSeal } from '../../adapters/phones/call-numbers.ts';
import { releaseHoldsOfCall } from '../../db/appointments/holds/release-holds.ts';
import type { CallRow } from '../../db/entities/call.entity.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import type { CallOutcome } from '../../domain/calls/call.ts';
import { fieldError } from '../../domain/service-error.ts';
import { refuseDifferent } from './already-recorded.ts';
import { callInCompletedEvent } from './call-event.ts';
import type { CommandContext } from '../command-context.ts';
import { recordEventOf } from '../webhooks/record-event.ts';
import { holdCall } from './require-call.ts';
import type { Recorded } from './start-call.ts';

export interface CompleteCall {
  tenantId: string;
  callId: string;
  endedAt: Date;
  outcome: CallOutcome;
  transcriptionWordCount: number | null;
}

/**
 * Records that a call has ended, with `call.completed`; what it held is free again.
 * Errors: `not_found`, `validation_failed` (an end before the start), `external_id_conflict` (ended otherwise).
 */
export async function completeCall(
  em: EntityManager,
  { tenantId, callId, ...end }: CompleteCall,
  numbers: CallNumberSeal,
  context: CommandContext,
): Promise<Recorded<CallRow>> {
  const locked = await holdCall(em, tenantId, callId);
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
