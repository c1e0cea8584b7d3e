import type { AnyEventType } from './event-types.ts';
import { patientFieldsOf } from './events/patient-data.schema.ts';

/** Values that replace a patient's phone number in calls. */
export type ErasedNumbers = Readonly<Partial<Record<'fromNumber' | 'toNumber', string>>>;

/**
 * The body of an event without patient data. Times, statuses, IDs and the structure are kept. @param patientPhoneHash
 * replaces the patient's hash
 */
export function eraseFromBody(body: string, patientPhoneHash: string, numbers: ErasedNumbers = {}): string {
  const envelope = JSON.parse(body) as { type: AnyEventType; data: unknown };
  const erased = { ...erasedFields(envelope.type, patientPhoneHash), ...numbers };
  return JSON.stringify({ ...envelope, data: eraseFrom(envelope.data, erased) });
}

/** By field name, anywhere in the data of an event of this type. */
function erasedFields(type: AnyEventType, pseudonym: string): Record<string, unknown> {
  const fields = [...patientFieldsOf(type)].filter(([, as]) => as !== 'number');
  return Object.fromEntries(
    fields.map(([name, as]) => [name, typeof as === 'object' ? as.value : pseudonym]),
  );
}

function eraseFrom(value: unknown, erased: Readonly<Record<string, unknown>>): unknown {
  if (Array.isArray(value)) return value.map((item) => eraseFrom(item, erased));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      Object.hasOwn(erased, name) ? erased[name] : eraseFrom(member, erased),
    ]),
  );
}
