/** What is kept encrypted. Each has a key of its own, for each clinic: docs/decisions/0014-keys-for-a-purpose.md */
type SealedPurpose =
  | 'clinic-key'
  | 'webhook-secret'
  | 'call-number'
  | 'event-body'
  | 'appointment'
  | 'call'
  | 'call-event'
  | 'nps-response'
  | 'triage-form'
  | 'busy-block'
  | 'webhook-attempt'
  | 'recording'
  | 'kept-answer'
  | 'kept-form'
  | 'provider-grant'
  | 'sign-in'
  | 'question';

/** Where an encrypted text stands. It opens nowhere else. */
export interface SealedPlace {
  purpose: SealedPurpose;
  tenantId: string;
  /** The row, and which of its fields. */
  context: string;
}

/** The key of a clinic, which ENCRYPTION_KEY seals and which seals the rest. */
export function clinicKey(tenantId: string): SealedPlace {
  return { purpose: 'clinic-key', tenantId, context: tenantId };
}

export function endpointSecret(tenantId: string, endpointId: string): SealedPlace {
  return { purpose: 'webhook-secret', tenantId, context: endpointId };
}

export function callNumber(call: { tenantId: string; id: string }, end: 'from' | 'to'): SealedPlace {
  return { purpose: 'call-number', tenantId: call.tenantId, context: `${call.id}:${end}` };
}

/** The key that the bytes of a recording are sealed with. */
export function recordingKey({ tenantId, id }: { tenantId: string; id: string }): SealedPlace {
  return { purpose: 'recording', tenantId, context: id };
}

export function eventBody({ tenantId, id }: { tenantId: string; id: string }): SealedPlace {
  return { purpose: 'event-body', tenantId, context: id };
}

/** The answer that is kept under an Idempotency-Key. @param keyHash as it is stored */
export function storedAnswer(tenantId: string, keyHash: Buffer): SealedPlace {
  return { purpose: 'kept-answer', tenantId, context: keyHash.toString('hex') };
}

/** What someone typed whose session had ended; it goes within an hour, so it is never sealed again. */
export function keptForm({ tenantId, id }: { tenantId: string | null; id: string }): SealedPlace {
  return ofClinicOrSupport('kept-form', tenantId, id);
}

/** What the identity provider is asked with about a session; it goes with the session, so it is never sealed again. */
export function providerGrant({ tenantId, id }: { tenantId: string | null; id: string }): SealedPlace {
  return ofClinicOrSupport('provider-grant', tenantId, id);
}

/** A sign-in that has begun, in the cookie of its tab; it ends with that, so it is never sealed again. @param state as the provider returns it */
export function begunSignIn(state: string): SealedPlace {
  return ofClinicOrSupport('sign-in', null, state);
}

/** What someone looks for, in the address of its answer; it opens in that session alone. */
export function question(session: { tenantId: string | null; formToken: string }): SealedPlace {
  return ofClinicOrSupport('question', session.tenantId, session.formToken);
}

function ofClinicOrSupport(purpose: SealedPurpose, tenantId: string | null, context: string): SealedPlace {
  return { purpose, tenantId: tenantId ?? 'support', context };
}
