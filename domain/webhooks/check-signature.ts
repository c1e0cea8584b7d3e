import { createHmac } from 'node:crypto';
import { isSameSecret } from '../encryption/proofs.ts';

export interface SignatureToCheck {
  /** The header `X-Service-Signature` that a receiver got, with or without its name. */
  header: string;
  /** The body that it verified. */
  body: string;
  /** The body that was sent; null when it is no longer stored. */
  sentBody: string | null;
  /** The endpoint's currently valid secrets. */
  secrets: readonly string[];
  /** When the delivery's attempts were signed. */
  signedAt: readonly Date[];
  now: Date;
}

/**
 * How the body differs from the sent one: in surrounding white space, in its encoding, in JSON formatting, or in
 * content.
 */
export type BodyChange = 'whitespace' | 'encoding' | 'reformatted' | 'other';

/**
 * The result. `secret` says which secret matches. `not_ours`: none matches, neither for the given nor for the sent
 * body.
 */
export type SignatureVerdict =
  | { kind: 'unreadable' }
  | { kind: 'fits'; secret: number; ageSeconds: number; isOtherEvent: boolean }
  | { kind: 'changed_body'; secret: number; change: BodyChange }
  | { kind: 'not_ours'; isOfAttempt: boolean };

/** Receivers refuse signatures that are older, or this far in the future: docs/webhooks.md#verify-the-signature */
export const SIGNATURE_TOLERANCE_SECONDS = 300;

/** Explains why a receiver refuses a signature, or that it is valid. */
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
  if (misreadings(sentBody.trim()).includes(body.trim())) return 'encoding';
  return rewritten(body) === rewritten(sentBody) ? 'reformatted' : 'other';
}

const NOT_ASCII = /[^\0-\x7f]/gu;

/** The texts that result when a receiver decodes UTF-8 as Latin-1, Windows-1252 or ASCII. */
function misreadings(sentBody: string): string[] {
  const bytes = Buffer.from(sentBody);
  const latin1 = bytes.toString('latin1');
  return [
    latin1,
    new TextDecoder('windows-1252').decode(bytes),
    latin1.replace(NOT_ASCII, '?'),
    latin1.replace(NOT_ASCII, '\uFFFD'),
    sentBody.replace(NOT_ASCII, '?'),
  ];
}

function rewritten(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body));
  } catch {
    // Invalid JSON equals nothing else.
    return body;
  }
}
