import { z } from 'zod';

/** UTC with milliseconds, as all times in events are. */
export function eventInstant() {
  return z.iso.datetime({ precision: 3 });
}

/** Lowercase hex HMAC-SHA256 under a key of the clinic's. */
export function phoneHash() {
  return z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .meta({
      description:
        'Stands for the patient’s phone number: the same number gives the same hash within one clinic. ' +
        'The number itself is never sent.',
    });
}
