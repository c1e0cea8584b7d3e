import { hashesOfName } from '../patients/name-hashes.ts';
import { ERASED_NAME } from '../patients/erased-name.ts';
import type { ClinicCipher } from './clinic-ciphers.ts';
import type { SealedPlace } from './sealed-places.ts';

/** The fields of a row that are sealed one by one. */
export interface SealedFields {
  purpose: SealedPlace['purpose'];
  table: string;
  /** The columns that name the row. */
  key: readonly { property: string; column: string; type: 'uuid' | 'integer' }[];
  fields: readonly SealedField[];
}

export interface SealedField {
  property: string;
  column: string;
  isJson: boolean;
  /** Stands in the place of what was erased, and is not sealed. */
  placeholder?: string;
  /** What is written beside it, by their properties, so that its row is found while it is closed. */
  hashes?: (cipher: Pick<ClinicCipher, 'hash'>, text: string) => object;
}

const byId = { property: 'id', column: 'id', type: 'uuid' } as const;
const byAppointment = { property: 'appointmentId', column: 'appointment_id', type: 'uuid' } as const;

const text = (property: string, column = property): SealedField => ({ property, column, isJson: false });
const json = (property: string, column = property): SealedField => ({ property, column, isJson: true });

const patientName: SealedField = {
  ...text('patientName', 'patient_name'),
  placeholder: ERASED_NAME,
  hashes: hashesOfName,
};

/** What patients are called, and what is said and written of them: docs/operations.md#what-is-sealed */
export const SEALED_FIELDS = {
  appointment: {
    purpose: 'appointment',
    table: 'appointment',
    key: [byId],
    fields: [patientName, text('patientNotes', 'patient_notes'), json('metadata')],
  },
  call: {
    purpose: 'call',
    table: 'call',
    key: [byId],
    fields: [json('metadata')],
  },
  callEvent: {
    purpose: 'call-event',
    table: 'call_event',
    key: [byId],
    fields: [text('transcript'), json('toolInput', 'tool_input'), json('toolOutput', 'tool_output')],
  },
  npsResponse: {
    purpose: 'nps-response',
    table: 'nps_response',
    key: [byAppointment],
    fields: [text('comment')],
  },
  triageForm: {
    purpose: 'triage-form',
    table: 'triage_form',
    key: [byAppointment],
    fields: [json('answers')],
  },
  busyBlock: {
    purpose: 'busy-block',
    table: 'busy_block',
    key: [byId],
    fields: [text('title')],
  },
  webhookAttempt: {
    purpose: 'webhook-attempt',
    table: 'webhook_attempt',
    key: [
      { property: 'deliveryId', column: 'delivery_id', type: 'uuid' },
      { property: 'number', column: 'number', type: 'integer' },
    ],
    fields: [text('responseExcerpt', 'response_excerpt')],
  },
} as const satisfies Record<string, SealedFields>;

/** The rows that have sealed fields. */
export type SealedKind = keyof typeof SEALED_FIELDS;

/** What a sealed text reads like: its format, the key's id and the nonce. No clear one does by chance. */
const SEALED_TEXT = /^v\d\.[0-9a-f]{8}\.[A-Za-z0-9_-]{16}\./;

export function isSealedText(text: string): boolean {
  return SEALED_TEXT.test(text);
}

/** @param row what names the row, its key's parts with colons between */
export function fieldPlace(
  { purpose }: SealedFields,
  { tenantId, row }: { tenantId: string; row: string },
  { column }: SealedField,
): SealedPlace {
  return { purpose, tenantId, context: `${row}:${column}`, contextInV1: null };
}
