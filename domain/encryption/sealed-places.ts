/** The purposes of encryption. Each has its own key per clinic: docs/decisions/0025-sealed-at-rest.md */
type SealedPurpose =
  | 'clinic-key'
  | 'webhook-secret'
  | 'webhook-headers'
  | 'call-number'
  | 'event-body'
  | 'appointment'
  | 'call'
  | 'call-event'
  | 'nps-response'
  | 'triage-form'
  | 'patient-email'
  | 'busy-block'
  | 'webhook-attempt'
  | 'recording'
  | 'kept-answer'
  | 'kept-form'
  | 'provider-grant'
  | 'sign-in'
  | 'question';

/** Where an encrypted text is stored. The text can be decrypted only with the same place. */
export interface SealedPlace {
  purpose: SealedPurpose;
  tenantId: string;
  /** The row and field. */
  context: string;
}

/** The key of a clinic, encrypted with ENCRYPTION_KEY; it encrypts the rest. */
export function clinicKey(tenantId: string): SealedPlace {
  return { purpose: 'clinic-key', tenantId, context: tenantId };
}

export function endpointSecret(tenantId: string, endpointId: string): SealedPlace {
  return { purpose: 'webhook-secret', tenantId, context: endpointId };
}

/** The headers that a clinic adds to deliveries. */
export function endpointHeaders(tenantId: string, endpointId: string): SealedPlace {
  return { purpose: 'webhook-headers', tenantId, context: endpointId };
}

export function callNumber(call: { tenantId: string; id: string }, end: 'from' | 'to'): SealedPlace {
  return { purpose: 'call-number', tenantId: call.tenantId, context: `${call.id}:${end}` };
}

/** The key of a recording's bytes. */
export function recordingKey({ tenantId, id }: { tenantId: string; id: string }): SealedPlace {
  return { purpose: 'recording', tenantId, context: id };
}

export function eventBody({ tenantId, id }: { tenantId: string; id: string }): SealedPlace {
  return { purpose: 'event-body', tenantId, context: id };
}

/** The stored answer of an Idempotency-Key. @param keyHash as stored */
export function storedAnswer(tenantId: string, keyHash: Buffer): SealedPlace {
  return { purpose: 'kept-answer', tenantId, context: keyHash.toString('hex') };
}

/** A saved form of an ended session. It is deleted within an hour, so it is never re-encrypted. */
export function keptForm({ tenantId, id }: { tenantId: string | null; id: string }): SealedPlace {
  return ofClinicOrSupport('kept-form', tenantId, id);
}

/**
 * The tokens of the identity provider for a session. They are deleted with the session, so they are never re-encrypted.
 */
export function providerGrant({ tenantId, id }: { tenantId: string | null; id: string }): SealedPlace {
  return ofClinicOrSupport('provider-grant', tenantId, id);
}

/**
 * The state of a started sign-in, in a cookie. It is short-lived, so it is never re-encrypted. @param state the state
 * that the provider returns
 */
export function begunSignIn(state: string): SealedPlace {
  return ofClinicOrSupport('sign-in', null, state);
}

/** A search text in a page's address; it can be decrypted only in that session. */
export function question(session: { tenantId: string | null; formToken: string }): SealedPlace {
  return ofClinicOrSupport('question', session.tenantId, session.formToken);
}

function ofClinicOrSupport(purpose: SealedPurpose, tenantId: string | null, context: string): SealedPlace {
  return { purpose, tenantId: tenantId ?? 'support', context };
}
