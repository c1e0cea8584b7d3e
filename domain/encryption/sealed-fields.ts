import { hashesOfName } from '../patients/name-hashes.ts';
import type { ClinicCipher } from './clinic-ciphers.ts';
import type { SealedPlace } from './sealed-places.ts';

/** The encrypted fields of a row. */
export interface SealedFields {
  purpose: SealedPlace['purpose'];
  /** The properties that identify the row. */
  key: readonly string[];
  fields: readonly SealedField[];
}

export interface SealedField {
  property: string;
  column: string;
  isJson: boolean;
  /** Hashes that are stored in addition to the fields, by property, so that the row can be found. */
  hashes?: (cipher: Pick<ClinicCipher, 'hash'>, text: string | null) => object;
}

const text = (property: string, column = property): SealedField => ({ property, column, isJson: false });
const json = (property: string, column = property): SealedField => ({ property, column, isJson: true });

const patientName: SealedField = {
  ...text('patientName', 'patient_name'),
  hashes: hashesOfName,
};

/** Patients' names and everything said or written about them: docs/operations/rotate-a-key.md#what-is-sealed */
export const SEALED_FIELDS = {
  appointment: {
    purpose: 'appointment',
    key: ['id'],
    fields: [
      patientName,
      text('patientNotes', 'patient_notes'),
      json('metadata'),
      text('refusalReason', 'refusal_reason'),
    ],
  },
  call: {
    purpose: 'call',
    key: ['id'],
    fields: [json('metadata'), text('summary')],
  },
  callEvent: {
    purpose: 'call-event',
    key: ['id'],
    fields: [text('transcript'), json('toolInput', 'tool_input'), json('toolOutput', 'tool_output')],
  },
  npsResponse: {
    purpose: 'nps-response',
    key: ['appointmentId'],
    fields: [text('comment')],
  },
  triageForm: {
    purpose: 'triage-form',
    key: ['appointmentId'],
    fields: [json('answers')],
  },
  patientEmail: {
    purpose: 'patient-email',
    key: ['bookedId'],
    fields: [text('email')],
  },
  busyBlock: {
    purpose: 'busy-block',
    key: ['id'],
    fields: [text('title')],
  },
  webhookAttempt: {
    purpose: 'webhook-attempt',
    key: ['deliveryId', 'number'],
    fields: [text('responseExcerpt', 'response_excerpt')],
  },
} as const satisfies Record<string, SealedFields>;

/** The kinds of rows with encrypted fields. */
export type SealedKind = keyof typeof SEALED_FIELDS;

/** The form of encrypted text: format, key id and nonce. No plain text looks like this by accident. */
const SEALED_TEXT = /^v\d\.[0-9a-f]{8}\.[A-Za-z0-9_-]{16}\./;

export function isSealedText(text: string): boolean {
  return SEALED_TEXT.test(text);
}

/** The place to which a field's encryption is bound. @param row the parts of the row's key, joined with colons */
export function fieldPlace(
  { purpose }: SealedFields,
  { tenantId, row }: { tenantId: string; row: string },
  { column }: SealedField,
): SealedPlace {
  return { purpose, tenantId, context: `${row}:${column}` };
}
