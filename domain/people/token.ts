import { hash, randomBytes } from 'node:crypto';

/** 256 bits, so a plain SHA-256 is enough. */
const TOKEN_BYTES = 32;

/** A secret that is shown once; only its hash is stored. */
export function newToken(): { token: string; tokenHash: Buffer } {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  return { token, tokenHash: hashToken(token) };
}

export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}
