import { createProofs } from '../encryption/proofs.ts';

const ID_BYTES = 16;
const PROOF_BYTES = 16;

export type PatientLinks = ReturnType<typeof createPatientLinks>;

/**
 * Links with which a patient sees, moves and cancels one appointment. A token consists of the ID and an HMAC with a key
 * for this purpose. It is valid as long as the appointment, and reveals nothing about it. @param encryptionKeys as in
 * `createProofs`
 */
export function createPatientLinks(encryptionKeys: readonly Uint8Array[]) {
  const proofs = createProofs(encryptionKeys, 'patient-link/v1', PROOF_BYTES);
  return {
    tokenOf(appointmentId: string): string {
      const id = Buffer.from(appointmentId.replaceAll('-', ''), 'hex');
      return Buffer.concat([id, proofs.proofOf(id)]).toString('base64url');
    },
    /** The ID in a token; null when the token is not valid. */
    appointmentIdIn(token: string): string | null {
      const bytes = Buffer.from(token, 'base64url');
      if (bytes.length !== ID_BYTES + PROOF_BYTES || bytes.toString('base64url') !== token) return null;
      const [id, proof] = [bytes.subarray(0, ID_BYTES), bytes.subarray(ID_BYTES)];
      return proofs.isProof(proof, id) ? asUuid(id) : null;
    },
  };
}

/** The address of a patient's page. @param encryptionKeys as in `createPatientLinks` */
export function patientPageAddress(encryptionKeys: readonly Uint8Array[], dashboardUrl: string) {
  const links = createPatientLinks(encryptionKeys);
  return (appointmentId: string) => `${dashboardUrl}/book/a/${links.tokenOf(appointmentId)}`;
}

function asUuid(id: Buffer): string {
  return id.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
