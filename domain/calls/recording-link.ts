import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/** docs/calls.md#recordings */
export const RECORDING_LINK_SECONDS = 86_400;

/** The query of a recording link: when it ends, in epoch milliseconds, and the proof that we made it. */
interface RecordingLinkProof {
  expires: string;
  signature: string;
}

export interface RecordingLink {
  url: string;
  expiresAt: Date;
}

/** Makes and checks links that open one recording for a day, without an API key. */
export interface RecordingLinks {
  linkTo(recordingId: string, now: Date): RecordingLink;
  isValid(recordingId: string, proof: RecordingLinkProof, now: Date): boolean;
}

/** When a link made at `now` ends. */
export function recordingLinkExpiry(now: Date): Date {
  return new Date(now.getTime() + RECORDING_LINK_SECONDS * 1000);
}

/**
 * Links signed with HMAC-SHA256 under a key of their own, derived by HKDF (RFC 5869). A link names the recording, not
 * the call, so a replaced or erased recording ends its links.
 * @param encryptionKey ENCRYPTION_KEY, 32 bytes
 * @param publicUrl what links begin with
 */
export function createRecordingLinks(encryptionKey: Uint8Array, publicUrl: string): RecordingLinks {
  const key = new Uint8Array(hkdfSync('sha256', encryptionKey, '', 'recording-link/v1', 32));
  const sign = (recordingId: string, expires: string) =>
    createHmac('sha256', key).update(`${recordingId}.${expires}`).digest();
  return {
    linkTo(recordingId, now) {
      const expiresAt = recordingLinkExpiry(now);
      const expires = String(expiresAt.getTime());
      const signature = sign(recordingId, expires).toString('base64url');
      const base = publicUrl.replace(/\/+$/, '');
      return {
        url: `${base}/recordings/${recordingId}?expires=${expires}&signature=${signature}`,
        expiresAt,
      };
    },
    isValid(recordingId, { expires, signature }, now) {
      const [expected, given] = [sign(recordingId, expires), Buffer.from(signature, 'base64url')];
      const isOurs = given.length === expected.length && timingSafeEqual(given, expected);
      return isOurs && now.getTime() < Number(expires);
    },
  };
}
