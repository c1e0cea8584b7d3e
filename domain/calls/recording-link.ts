import { createProofs } from '../encryption/proofs.ts';

/** docs/calls.md#recordings */
export const RECORDING_LINK_SECONDS = 86_400;
/** By so much the clock of the process that made a link may be ahead. */
const CLOCK_TOLERANCE_MS = 60_000;

/** What a link was made with, and ends with. */
export interface LinkMaker {
  kind: 'key' | 'session';
  id: string;
}

/** The query of a recording link: when it ends, in epoch milliseconds, what it was made with, and the proof that we made it. */
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

/** When a link made at `now` ends. */
export function recordingLinkExpiry(now: Date): Date {
  return new Date(now.getTime() + RECORDING_LINK_SECONDS * 1000);
}

/** What the `by` of a link says that it was made with; null when it says nothing of the kind. */
export function linkMakerIn(by: string): LinkMaker | null {
  const [, kind, id] = /^(key|session):([0-9a-f-]{36})$/.exec(by) ?? [];
  return (kind === 'key' || kind === 'session') && id !== undefined ? { kind, id } : null;
}

/**
 * Links that open one recording for a day, without an API key, with a proof under a key of their own. A link names the
 * recording, not the call, so a replaced or erased recording ends its links. It also names what it was made with, and the proof
 * covers both.
 * @param encryptionKeys as of `createProofs`
 * @param publicUrl what links begin with
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
      // One that ends later was made by someone else who has the key.
      const isOfADay = endsInMs > 0 && endsInMs <= RECORDING_LINK_SECONDS * 1000 + CLOCK_TOLERANCE_MS;
      return isOurs && isOfADay;
    },
  };
}
