/** docs/calls.md#fields */
export const CALL_STATUSES = ['in_progress', 'completed'] as const;
export type CallStatus = (typeof CALL_STATUSES)[number];

export const CALL_OUTCOMES = [
  'booking_created',
  'info_only',
  'handoff_to_human',
  'voicemail',
  'abandoned',
] as const;
export type CallOutcome = (typeof CALL_OUTCOMES)[number];

export const CALL_EVENT_TYPES = ['speech', 'tool_call', 'tool_result', 'transcription_final'] as const;
export type CallEventType = (typeof CALL_EVENT_TYPES)[number];

/** Whether the caller agreed to be recorded. */
export const RECORDING_CONSENTS = ['given', 'refused', 'not_asked'] as const;
export type RecordingConsent = (typeof RECORDING_CONSENTS)[number];

/** `human`: someone of the clinic, after a transfer. */
export const CALL_SPEAKERS = ['caller', 'assistant', 'human'] as const;
export type CallSpeaker = (typeof CALL_SPEAKERS)[number];

/** Limits of one call: docs/limits.md#counts */
export const CALL_EVENT_LIMITS = { count: 2000, bytes: 4 * 1024 * 1024 } as const;

/** 200 MB, interpreted as MiB to be generous: docs/limits.md#body-sizes */
export const RECORDING_LIMIT_BYTES = 200 * 1024 * 1024;

/** Whole seconds from start to end, rounded to the nearest; null while the call lasts. */
export function callDurationSeconds(call: { startedAt: Date; endedAt: Date | null }): number | null {
  if (!call.endedAt) return null;
  return Math.round((call.endedAt.getTime() - call.startedAt.getTime()) / 1000);
}
