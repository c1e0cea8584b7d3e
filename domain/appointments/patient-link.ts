import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

const ID_BYTES = 16;
const PROOF_BYTES = 16;

/** Links by which a patient sees, moves and cancels one appointment, and nothing else. */
export interface PatientLinks {
  tokenOf(appointmentId: string): string;
  /** Null when we did not make it. */
  appointmentIdIn(token: string): string | null;
}

/**
 * A token is the id and a proof by HMAC-SHA256 under a key of its own, derived by HKDF (RFC 5869). It ends with the
 * appointment, of which it says nothing by itself.
 * @param encryptionKeys the list ENCRYPTION_KEY, 32 bytes each: the first signs, all prove
 */
export function createPatientLinks(encryptionKeys: readonly Uint8Array[]): PatientLinks {
  const keys = encryptionKeys.map(linkKey);
  const [first] = keys;
  if (!first) throw new RangeError('There must be an encryption key');
  return {
    tokenOf(appointmentId) {
      const id = Buffer.from(appointmentId.replaceAll('-', ''), 'hex');
      return Buffer.concat([id, proofOf(first, id)]).toString('base64url');
    },
    appointmentIdIn(token) {
      const bytes = Buffer.from(token, 'base64url');
      if (bytes.length !== ID_BYTES + PROOF_BYTES || bytes.toString('base64url') !== token) return null;
      const [id, proof] = [bytes.subarray(0, ID_BYTES), bytes.subarray(ID_BYTES)];
      return keys.some((key) => timingSafeEqual(proof, proofOf(key, id))) ? asUuid(id) : null;
    },
  };
}

function linkKey(encryptionKey: Uint8Array): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', encryptionKey, '', 'patient-link/v1', 32));
}

function proofOf(key: Uint8Array, id: Uint8Array): Buffer {
  return createHmac('sha256', key).update(id).digest().subarray(0, PROOF_BYTES);
}

function asUuid(id: Buffer): string {
  return id.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
