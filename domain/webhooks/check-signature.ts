import { createHmac } from 'node:crypto';
import { isSameSecret } from '../encryption/proofs.ts';

export interface SignatureToCheck {
  /** What a receiver found in `X-Service-Signature`, perhaps with the name before it. */
  header: string;
  /** What it took for the raw body. */
  body: string;
  /** What was sent; null when it is no longer kept. */
  sentBody: string | null;
  /** Those of the endpoint that are valid now. */
  secrets: readonly string[];
  /** When attempts of the delivery were signed. */
  signedAt: readonly Date[];
  now: Date;
}

/** How a body differs from what was sent: in white space around it, in the way in which the same JSON is written, or in what it says. */
export type BodyChange = 'whitespace' | 'reformatted' | 'other';

/**
 * What is to be said of a signature. `secret` tells which of the secrets it fits.
 * `not_ours`: it fits none, neither with the body given nor with the one sent.
 */
export type SignatureVerdict =
  | { kind: 'unreadable' }
  | { kind: 'fits'; secret: number; ageSeconds: number; isOtherEvent: boolean }
  | { kind: 'changed_body'; secret: number; change: BodyChange }
  | { kind: 'not_ours'; isOfAttempt: boolean };

/** Receivers refuse what is older, or that far ahead: docs/webhooks.md#verify-the-signature */
export const SIGNATURE_TOLERANCE_SECONDS = 300;

/** Finds out why a receiver takes a signature for wrong, or that it is right. */
export function checkSignature(given: SignatureToCheck): SignatureVerdict {
  const { body, sentBody, secrets, signedAt, now } = given;
  const signature = readSignature(given.header);
  if (!signature) return { kind: 'unreadable' };
  const { t } = signature;
  const secret = fittingSecret(signature, body, secrets);
  if (secret !== null) {
    const ageSeconds = Math.floor(now.getTime() / 1000) - t;
    return { kind: 'fits', secret, ageSeconds, isOtherEvent: sentBody !== null && body !== sentBody };
  }
  const sentWith = sentBody === null ? null : fittingSecret(signature, sentBody, secrets);
  if (sentBody !== null && sentWith !== null)
    return { kind: 'changed_body', secret: sentWith, change: changeOf(body, sentBody) };
  return { kind: 'not_ours', isOfAttempt: signedAt.some((at) => Math.floor(at.getTime() / 1000) === t) };
}

interface ReadSignature {
  /** Unix seconds. */
  t: number;
  /** Hexadecimal digests. */
  digests: string[];
}

function readSignature(header: string): ReadSignature | null {
  const parts = header
    .replace(/^\s*x-service-signature\s*:/i, '')
    .split(',')
    .map((part) => part.trim().split('='));
  const t = parts.find(([name]) => name === 't')?.[1] ?? '';
  const digests = parts.filter(([name]) => name === 'v1').map(([, digest = '']) => digest.toLowerCase());
  return /^\d{1,12}$/.test(t) && digests.length > 0 ? { t: Number(t), digests } : null;
}

function fittingSecret({ t, digests }: ReadSignature, body: string, secrets: readonly string[]) {
  const found = secrets.findIndex((secret) => {
    const expected = createHmac('sha256', secret).update(`${t}.${body}`).digest('hex');
    return digests.some((digest) => isSameSecret(Buffer.from(digest), Buffer.from(expected)));
  });
  return found === -1 ? null : found;
}

function changeOf(body: string, sentBody: string): BodyChange {
  if (body.trim() === sentBody.trim()) return 'whitespace';
  return rewritten(body) === rewritten(sentBody) ? 'reformatted' : 'other';
}

function rewritten(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body));
  } catch {
    // No JSON is like no other.
    return body;
  }
}
