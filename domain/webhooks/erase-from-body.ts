import { PATIENT_FIELDS } from './events/patient-data.schema.ts';

/** What stands in the place of a patient's number, when it is one of the ends of a call. */
export type ErasedNumbers = Readonly<Partial<Record<'fromNumber' | 'toNumber', string>>>;

/**
 * The body of an event without what it says of a patient: times, statuses and ids stay, and so does its shape.
 * @param patientPhoneHash stands in the place of the patient's
 */
export function eraseFromBody(body: string, patientPhoneHash: string, numbers: ErasedNumbers = {}): string {
  const envelope = JSON.parse(body) as { data: unknown };
  const erased = { ...erasedFields(patientPhoneHash), ...numbers };
  return JSON.stringify({ ...envelope, data: eraseFrom(envelope.data, erased) });
}

/** By the name of a field, wherever it stands in the data of an event. */
function erasedFields(pseudonym: string): Record<string, unknown> {
  const fields = [...PATIENT_FIELDS].filter(([, as]) => as !== 'number');
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
