import { createProofs } from '../encryption/proofs.ts';

/** docs/calls.md#recordings */
export const RECORDING_LINK_SECONDS = 86_400;
/** How far the clock of the process that created a link may be ahead. */
const CLOCK_TOLERANCE_MS = 60_000;

/** The key or session that created a link. When it is no longer valid, neither is the link. */
export interface LinkMaker {
  kind: 'key' | 'session';
  id: string;
}

/** The query of a link: its expiry in epoch milliseconds, its creator, and our signature. */
interface RecordingLinkProof {
  expires: string;
  by: string;
  signature: string;
}

export interface RecordingLink {
  url: string;
  expiresAt: Date;
}

export type RecordingLinks = ReturnType<typeof createRecordingLinks>;

/** When a link created at `now` expires. */
export function recordingLinkExpiry(now: Date): Date {
  return new Date(now.getTime() + RECORDING_LINK_SECONDS * 1000);
}

/** The creator from a link's `by`; null when it is malformed. */
export function linkMakerIn(by: string): LinkMaker | null {
  const [, kind, id] = /^(key|session):([0-9a-f-]{36})$/.exec(by) ?? [];
  return (kind === 'key' || kind === 'session') && id !== undefined ? { kind, id } : null;
}

/**
 * Signed links that open one recording for a day without an API key. A link contains the ID of the recording, not of
 * the call, so it stops working when the recording is replaced or erased. It also contains its creator; the signature
 * covers both.
 * @param encryptionKeys as for `createProofs`
 * @param publicUrl the base of the links
 */
export function createRecordingLinks(encryptionKeys: readonly Uint8Array[], publicUrl: string) {
  const proofs = createProofs(encryptionKeys, 'recording-link/v1');
  return {
    linkTo(recordingId: string, { kind, id }: LinkMaker, now: Date): RecordingLink {
      const expiresAt = recordingLinkExpiry(now);
      const expires = String(expiresAt.getTime());
      const by = `${kind}:${id}`;
      const signature = proofs.proofOf(`${recordingId}.${expires}.${by}`).toString('base64url');
      const base = publicUrl.replace(/\/+$/, '');
      return {
        url: `${base}/recordings/${recordingId}?expires=${expires}&by=${by}&signature=${signature}`,
        expiresAt,
      };
    },
    isValid(recordingId: string, { expires, by, signature }: RecordingLinkProof, now: Date): boolean {
      const isOurs = proofs.isProof(Buffer.from(signature, 'base64url'), `${recordingId}.${expires}.${by}`);
      const endsInMs = Number(expires) - now.getTime();
      // We never create a longer lifetime, so someone else would have the key.
      const isOfADay = endsInMs > 0 && endsInMs <= RECORDING_LINK_SECONDS * 1000 + CLOCK_TOLERANCE_MS;
      return isOurs && isOfADay;
    },
  };
}
