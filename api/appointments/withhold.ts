import type { presentChange } from './present.ts';

type Shown = ReturnType<typeof presentChange>;

/** What of an appointment is the patient's, and how it reads to a key that may not read appointments. */
const WITHHELD = { patientName: '', patientNotes: null, patientExternalId: null, metadata: null } as const;

/**
 * The answer to a change, for a key without `appointments:read`: of the patient it holds what the request itself said.
 * docs/keys-and-scopes.md#what-a-change-answers
 */
export function withoutUnsaid(shown: Shown, said: Readonly<Record<string, unknown>>): Shown {
  const withheld = Object.fromEntries(
    Object.entries(WITHHELD).filter(([field]) => said[field] === undefined),
  );
  const { replacement } = shown;
  return { ...shown, ...withheld, ...(replacement && { replacement: { ...replacement, ...withheld } }) };
}
