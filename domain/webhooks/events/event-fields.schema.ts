import { z } from 'zod';

/** UTC with milliseconds, as all times in events are. */
export function eventInstant() {
  return z.iso.datetime({ precision: 3 });
}

/** What stands in the place of a field once its patient was erased: a value, the hash that is no one's, or no number. */
export type ErasedAs = { value: unknown } | 'pseudonym' | 'number';

const fieldsOfPatients = z.registry<{ erasedAs: ErasedAs }>();

/** Marks a field of an event that tells of a patient. Erasing a patient finds it by this: `patient-data.schema.ts`. */
export function ofPatient<S extends z.ZodType>(schema: S, erasedAs: ErasedAs): S {
  fieldsOfPatients.add(schema, { erasedAs });
  return schema;
}

/** Undefined for a field that tells of no patient. */
export function erasedAs(schema: z.core.$ZodType): ErasedAs | undefined {
  const own = fieldsOfPatients.get(schema)?.erasedAs;
  const isWrapped = schema instanceof z.ZodOptional || schema instanceof z.ZodNullable;
  return own ?? (isWrapped ? erasedAs(schema.unwrap()) : undefined);
}

/** Lowercase hex HMAC-SHA256 under a key of the clinic's. */
export function phoneHash() {
  const hash = z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .meta({
      description:
        'A hash of the patient’s phone number: the same number gives the same hash within one clinic. ' +
        'The number itself is never sent.',
    });
  return ofPatient(hash, 'pseudonym');
}
