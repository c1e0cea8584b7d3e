import type { CallNumberSeal } from '../../adapters/phones/call-numbers.ts';
import type { CallEventRow } from '../../db/entities/call-event.entity.ts';
import type { CallRecordingRow } from '../../db/entities/call-recording.entity.ts';
import type { OpenedCall } from '../../db/calls/open-call.ts';
import type { CallRow } from '../../db/entities/call.entity.ts';
import { callDurationSeconds } from '../../domain/calls/call.ts';
import type { RecordingLink } from '../../domain/calls/recording-link.ts';
import { presentPage } from '../contract/present-page.ts';
import { callCursor } from './contract.ts';

/** docs/calls.md#fields */
export function presentCall(row: Omit<CallRow, 'metadata'>, numbers: CallNumberSeal) {
  return {
    id: row.id,
    telephonyCallControlId: row.telephonyCallControlId,
    ...numbers.show(row),
    status: row.status,
    outcome: row.outcome,
    startedAt: row.startedAt.toISOString(),
    endedAt: row.endedAt?.toISOString() ?? null,
    durationSeconds: callDurationSeconds(row),
    transcriptionWordCount: row.transcriptionWordCount,
  };
}

/** @param rows one more than `limit` when there is another page */
export function presentCallPage(rows: readonly CallRow[], limit: number, numbers: CallNumberSeal) {
  const page = presentPage(rows, limit, ({ startedAt, id }) => callCursor.encode([startedAt.getTime(), id]));
  return { ...page, items: page.items.map((row) => presentCall(row, numbers)) };
}

export function presentCallDetail(
  row: OpenedCall,
  { events, appointmentIds }: { events: readonly CallEventRow[]; appointmentIds: string[] },
  link: RecordingLink | null,
  numbers: CallNumberSeal,
) {
  return {
    call: {
      ...presentCall(row, numbers),
      metadata: row.metadata,
      appointmentIds,
      recordingUrl: link?.url ?? null,
      recordingExpiresAt: link?.expiresAt.toISOString() ?? null,
    },
    events: events.map(presentCallEvent),
  };
}

/** docs/calls.md#fields */
export function presentCallEvent(row: CallEventRow) {
  return {
    id: row.id,
    eventType: row.eventType,
    sequence: row.sequence,
    transcript: row.transcript,
    toolName: row.toolName,
    toolInput: row.toolInput,
    toolOutput: row.toolOutput,
    occurredAt: row.occurredAt.toISOString(),
  };
}

export function presentRecording(row: CallRecordingRow) {
  return {
    callId: row.callId,
    contentType: row.contentType,
    sizeBytes: row.sizeBytes,
    sha256: Buffer.from(row.sha256).toString('hex'),
    uploadedAt: row.uploadedAt.toISOString(),
  };
}
