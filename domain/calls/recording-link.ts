import { createProofs } from '../encryption/proofs.ts';

/** docs/calls.md#recordings */
export const RECORDING_LINK_SECONDS = 86_400;
/** By so much the clock of the process that made a link may be ahead. */
const CLOCK_TOLERANCE_MS = 60_000;

/** The query of a recording link: when it ends, in epoch milliseconds, and the proof that we made it. */
interface RecordingLinkProof {
  expires: string;
  signature: string;
}

export interface RecordingLink {
  url: string;
  expiresAt: Date;
}

export type RecordingLinks = ReturnType<typeof createRecordingLinks>;

/** When a link made at `now` ends. */
export function recordingLinkExpiry(now: Date): Date {
  return new Date(now.getTime() + RECORDING_LINK_SECONDS * 1000);
}

/**
 * Links that open one recording for a day, without an API key, with a proof under a key of their own. A link names the
 * recording, not the call, so a replaced or erased recording ends its links.
 * @param encryptionKeys as of `createProofs`
 * @param publicUrl what links begin with
 */
export function createRecordingLinks(encryptionKeys: readonly Uint8Array[], publicUrl: string) {
  const proofs = createProofs(encryptionKeys, 'recording-link/v1');
  return {
    linkTo(recordingId: string, now: Date): RecordingLink {
      const expiresAt = recordingLinkExpiry(now);
      const expires = String(expiresAt.getTime());
      const signature = proofs.proofOf(`${recordingId}.${expires}`).toString('base64url');
      const base = publicUrl.replace(/\/+$/, '');
      return {
        url: `${base}/recordings/${recordingId}?expires=${expires}&signature=${signature}`,
        expiresAt,
      };
    },
    isValid(recordingId: string, { expires, signature }: RecordingLinkProof, now: Date): boolean {
      const isOurs = proofs.isProof(Buffer.from(signature, 'base64url'), `${recordingId}.${expires}`);
      const endsInMs = Number(expires) - now.getTime();
      // One that ends later was made by somebody else who has the key.
      const isOfADay = endsInMs > 0 && endsInMs <= RECORDING_LINK_SECONDS * 1000 + CLOCK_TOLERANCE_MS;
      return isOurs && isOfADay;
    },
  };
}
