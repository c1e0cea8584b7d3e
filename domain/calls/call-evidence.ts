import type { RecordingConsent } from './call.ts';

/** What is recorded of a call to show later that it was conducted properly: docs/calls.md#evidence. Null: not sent. */
export interface CallEvidence {
  /** When the caller was told that an AI is speaking. */
  aiDisclosedAt: Date | null;
  recordingConsent: RecordingConsent | null;
  /** BCP 47. */
  language: string | null;
  /** Empty once it was erased. */
  summary: string | null;
}

export const NO_EVIDENCE: CallEvidence = {
  aiDisclosedAt: null,
  recordingConsent: null,
  language: null,
  summary: null,
};
const FIELDS = Object.keys(NO_EVIDENCE) as (keyof CallEvidence)[];

/** What was sent, in two parts: new values to be stored, and those that must equal the stored ones. */
export function splitEvidence(given: Partial<CallEvidence>, stored: CallEvidence) {
  const sent = { ...NO_EVIDENCE, ...given };
  const said = FIELDS.filter((field) => sent[field] !== null);
  const isNew = (field: keyof CallEvidence) => stored[field] === null || isWithdrawal(field, sent, stored);
  return {
    added: pick(sent, said.filter(isNew)),
    repeated: pick(
      sent,
      said.filter((field) => !isNew(field)),
    ),
  };
}

/** A caller may refuse at any time, also after agreeing. */
function isWithdrawal(field: keyof CallEvidence, sent: CallEvidence, stored: CallEvidence): boolean {
  return field === 'recordingConsent' && sent[field] === 'refused' && stored[field] !== 'refused';
}

function pick(from: CallEvidence, fields: readonly (keyof CallEvidence)[]): Partial<CallEvidence> {
  return Object.fromEntries(fields.map((field) => [field, from[field]]));
}
