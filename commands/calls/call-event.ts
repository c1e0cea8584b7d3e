import type { CallNumberSeal } from '../../adapters/phones/call-numbers.ts';
import type { CallRow } from '../../db/entities/call.entity.ts';
import { callDurationSeconds } from '../../domain/calls/call.ts';

/** The call as `call.started` shows it: what `call.completed` will tell, as far as it is known. */
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
