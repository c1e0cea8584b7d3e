import { createHash } from 'node:crypto';

export interface FingerprintedRequest {
  method: string;
  path: string;
  /** As parsed, before any schema. */
  body: unknown;
  ifMatch: string | undefined;
}

/** Equal for two requests that ask for the same; the order of keys and the spacing of the JSON do not matter. */
export function requestFingerprint({ method, path, body, ifMatch }: FingerprintedRequest): string {
  const text = JSON.stringify([method, path, keySorted(body), ifMatch ?? null]);
  return createHash('sha256').update(text).digest('base64url');
}

function keySorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(keySorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, member]) => [key, keySorted(member)]));
}
