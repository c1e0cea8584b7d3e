import type { CallNumberSeal } from '../../adapters/phones/call-numbers.ts';
import type { CallEventRow } from '../../db/entities/calls/call-event.entity.ts';
import type { CallRecordingRow } from '../../db/entities/calls/call-recording.entity.ts';
import type { CallRow, OpenedCall } from '../../db/entities/calls/call.entity.ts';
import { callDurationSeconds } from '../../domain/calls/call.ts';
import type { RecordingLink } from '../../domain/calls/recording-link.ts';
import { presented, presenter } from '../../domain/presented.schema.ts';
import { callEventSchema, callSchema, evidenceSchema, recordingSchema } from './call-schemas.contract.ts';

/** docs/calls.md#fields */
export function presentCall(row: Omit<CallRow, 'metadata' | 'summary'>, numbers: CallNumberSeal) {
  const durationSeconds = callDurationSeconds(row);
  return presented(callSchema, { ...row, ...numbers.show(row), durationSeconds });
}

/** docs/calls.md#evidence */
export function presentCallWithTexts(row: OpenedCall, numbers: CallNumberSeal) {
  return {
    ...presentCall(row, numbers),
    metadata: row.metadata,
    // An erased summary is empty.
    ...presented(evidenceSchema, { ...row, summary: row.summary || null }),
  };
}

export function presentCallDetail(
  row: OpenedCall,
  { events, appointmentIds }: { events: readonly CallEventRow[]; appointmentIds: string[] },
  link: RecordingLink | null,
  numbers: CallNumberSeal,
) {
  return {
    call: {
      ...presentCallWithTexts(row, numbers),
      appointmentIds,
      recordingUrl: link?.url ?? null,
      recordingExpiresAt: link?.expiresAt.toISOString() ?? null,
    },
    events: events.map(presentCallEvent),
  };
}

/** docs/calls.md#fields */
export const presentCallEvent = presenter(callEventSchema);

export function presentRecording(row: CallRecordingRow) {
  return presented(recordingSchema, { ...row, sha256: Buffer.from(row.sha256).toString('hex') });
}
