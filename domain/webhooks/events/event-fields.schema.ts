import { z } from 'zod';

/** UTC with milliseconds, like all times in events. */
export function eventInstant() {
  return z.iso.datetime({ precision: 3 });
}

/** The replacement for a field of an erased patient: a value, a random hash, or no number. */
export type ErasedAs = { value: unknown } | 'pseudonym' | 'number';

const fieldsOfPatients = z.registry<{ erasedAs: ErasedAs }>();

/** Marks an event field with patient data, for erasure: `patient-data.schema.ts`. */
export function ofPatient<S extends z.ZodType>(schema: S, erasedAs: ErasedAs): S {
  fieldsOfPatients.add(schema, { erasedAs });
  return schema;
}

/** How a field is erased; undefined for a field without patient data. */
export function erasedAs(schema: z.core.$ZodType): ErasedAs | undefined {
  const own = fieldsOfPatients.get(schema)?.erasedAs;
  const isWrapped = schema instanceof z.ZodOptional || schema instanceof z.ZodNullable;
  return own ?? (isWrapped ? erasedAs(schema.unwrap()) : undefined);
}

/** Lowercase hex HMAC-SHA256 under a key of the clinic. */
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
