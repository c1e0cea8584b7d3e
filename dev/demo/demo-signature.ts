import { timingSafeEqual } from 'node:crypto';
import { serviceSignature } from '../../domain/webhooks/webhook-signature.ts';

const SIGNATURE = /^t=(\d+),v1=([0-9a-f]{64})$/;
const TOLERANCE_MS = 5 * 60_000;

/** What every receiver should do: docs/webhooks.md#verify-the-signature */
export function isSignedBy(secret: string, header: string, body: string, now: Date): boolean {
  const [, seconds] = SIGNATURE.exec(header) ?? [];
  if (seconds === undefined) return false;
  const signedAt = new Date(Number(seconds) * 1000);
  if (Math.abs(now.getTime() - signedAt.getTime()) > TOLERANCE_MS) return false;
  const expected = serviceSignature({ secrets: [secret], signedAt, body });
  return expected.length === header.length && timingSafeEqual(Buffer.from(expected), Buffer.from(header));
}
