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
  | 'question';

/** Where an encrypted text stands. It opens nowhere else. */
export interface SealedPlace {
  purpose: SealedPurpose;
  tenantId: string;
  /** The row, and which of its fields. */
  context: string;
  /** How format v1 named the row; null when that is not known. */
  contextInV1: string | null;
}

/** The key of a clinic, which ENCRYPTION_KEY seals and which seals the rest. */
export function clinicKey(tenantId: string): SealedPlace {
  return { purpose: 'clinic-key', tenantId, context: tenantId, contextInV1: `clinic-key:${tenantId}` };
}

export function endpointSecret(tenantId: string, endpointId: string): SealedPlace {
  return { purpose: 'webhook-secret', tenantId, context: endpointId, contextInV1: endpointId };
}

export function callNumber(call: { tenantId: string; id: string }, end: 'from' | 'to'): SealedPlace {
  const context = `${call.id}:${end}`;
  return { purpose: 'call-number', tenantId: call.tenantId, context, contextInV1: `call:${context}` };
}

/** The key that the bytes of a recording are sealed with. */
export function recordingKey({ tenantId, id }: { tenantId: string; id: string }): SealedPlace {
  return { purpose: 'recording', tenantId, context: id, contextInV1: null };
}

export function eventBody(event: { tenantId: string; id: string }): SealedPlace {
  const { tenantId, id } = event;
  return { purpose: 'event-body', tenantId, context: id, contextInV1: `event:${id}` };
}

/**
 * The answer that is kept under an Idempotency-Key.
 * @param keyHash as it is stored
 * @param key as the client sent it, to which format v1 bound the answer; null when only its hash is known
 */
export function keptAnswer(tenantId: string, keyHash: Buffer, key: string | null): SealedPlace {
  return {
    purpose: 'kept-answer',
    tenantId,
    context: keyHash.toString('hex'),
    contextInV1: key === null ? null : `idempotency:${tenantId}:${key}`,
  };
}

/** What somebody typed whose session had ended; it goes within an hour, so it is never sealed anew. */
export function keptForm({ tenantId, id }: { tenantId: string | null; id: string }): SealedPlace {
  return ofClinicOrSupport('kept-form', tenantId, id);
}

/** What the identity provider is asked with about a session; it goes with the session, so it is never sealed anew. */
export function providerGrant({ tenantId, id }: { tenantId: string | null; id: string }): SealedPlace {
  return ofClinicOrSupport('provider-grant', tenantId, id);
}

/** What somebody looks for, in the address of its answer; it opens in that session alone. */
export function question(session: { tenantId: string | null; formToken: string }): SealedPlace {
  return ofClinicOrSupport('question', session.tenantId, session.formToken);
}

function ofClinicOrSupport(purpose: SealedPurpose, tenantId: string | null, context: string): SealedPlace {
  return { purpose, tenantId: tenantId ?? 'support', context, contextInV1: `${purpose}:${context}` };
}
