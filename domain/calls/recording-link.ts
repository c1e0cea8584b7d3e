import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

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
 * @param encryptionKeys the list ENCRYPTION_KEY, 32 bytes each: the first signs, all prove
 * @param publicUrl what links begin with
 */
export function createRecordingLinks(
  encryptionKeys: readonly Uint8Array[],
  publicUrl: string,
): RecordingLinks {
  const keys = encryptionKeys.map(linkKey);
  const [first] = keys;
  if (!first) throw new RangeError('There must be an encryption key');
  return {
    linkTo(recordingId, now) {
      const expiresAt = recordingLinkExpiry(now);
      const expires = String(expiresAt.getTime());
      const signature = sign(first, recordingId, expires).toString('base64url');
      const base = publicUrl.replace(/\/+$/, '');
      return {
        url: `${base}/recordings/${recordingId}?expires=${expires}&signature=${signature}`,
        expiresAt,
      };
    },
    isValid(recordingId, { expires, signature }, now) {
      const given = Buffer.from(signature, 'base64url');
      const endsInMs = Number(expires) - now.getTime();
      // One that ends later was made by somebody else who has the key.
      const isOfADay = endsInMs > 0 && endsInMs <= RECORDING_LINK_SECONDS * 1000 + CLOCK_TOLERANCE_MS;
      const isOurs = keys.some((key) => isEqual(given, sign(key, recordingId, expires)));
      return isOurs && isOfADay;
    },
  };
}

function linkKey(encryptionKey: Uint8Array): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', encryptionKey, '', 'recording-link/v1', 32));
}

function sign(key: Uint8Array, recordingId: string, expires: string): Buffer {
  return createHmac('sha256', key).update(`${recordingId}.${expires}`).digest();
}

function isEqual(given: Buffer, expected: Buffer): boolean {
  return given.length === expected.length && timingSafeEqual(given, expected);
}
