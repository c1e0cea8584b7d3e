import { ERASED_NAME } from '../patients/erased-name.ts';

/** By the name of a field, wherever it stands in the data of an event. */
const ERASED: Readonly<Record<string, unknown>> = {
  patientName: ERASED_NAME,
  patientNotes: null,
  metadata: null,
  externalId: null,
  patientExternalId: null,
  comment: '',
  answers: {},
};

/**
 * The body of an event without what it says of a patient: times, statuses and ids stay, and so does its shape.
 * @param patientPhoneHash stands in the place of the patient's
 * @param numbers what stands in the place of the patient's number, when it is one of the ends of a call
 */
export function eraseFromBody(
  body: string,
  patientPhoneHash: string,
  numbers: Readonly<Partial<Record<'fromNumber' | 'toNumber', string>>> = {},
): string {
  const envelope = JSON.parse(body) as { data: unknown };
  return JSON.stringify({
    ...envelope,
    data: eraseFrom(envelope.data, { ...ERASED, ...numbers, patientPhoneHash }),
  });
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
