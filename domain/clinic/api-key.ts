import { hash, randomInt } from 'node:crypto';
import { SERVICE_MODES, type ServiceMode } from '../service-mode.ts';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const PUBLIC_ID_LENGTH = 12;
/** 32 characters of 62: 190 bits, so a plain SHA-256 is enough. */
const RANDOM_LENGTH = 32;
const CHECKSUM_LENGTH = 6;

const KEY_FORM = new RegExp(
  `^svc_(${SERVICE_MODES.join('|')})_([0-9A-Za-z]{${PUBLIC_ID_LENGTH}})_[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`,
);

export interface ParsedApiKey {
  mode: ServiceMode;
  /** Part of the key that identifies its row and may be shown. */
  publicId: string;
  secretHash: Buffer;
}

/**
 * Creates a key `svc_<mode>_<public id>_<secret>`. The secret ends with a checksum, so that a mistyped key is detected
 * without a query. The key is shown once and never stored.
 */
export function newApiKey(mode: ServiceMode) {
  const publicId = randomText(PUBLIC_ID_LENGTH);
  const unchecked = `svc_${mode}_${publicId}_${randomText(RANDOM_LENGTH)}`;
  const key = unchecked + checksum(unchecked);
  return { key, publicId, secretHash: hashApiKey(key) };
}

/** Null when the text has the wrong form or checksum. */
export function parseApiKey(text: string): ParsedApiKey | null {
  const match = KEY_FORM.exec(text);
  if (!match || !hasValidChecksum(text)) return null;
  const [, modeText, publicId = ''] = match;
  const mode = SERVICE_MODES.find((known) => known === modeText);
  return mode ? { mode, publicId, secretHash: hashApiKey(text) } : null;
}

/** Whether a key is valid at that time. */
export function isKeyValid(key: { revokedAt: Date | null; expiresAt: Date | null }, now: Date): boolean {
  return key.revokedAt === null && (key.expiresAt === null || key.expiresAt > now);
}

function hashApiKey(key: string): Buffer {
  return hash('sha256', key, 'buffer');
}

function hasValidChecksum(key: string): boolean {
  return checksum(key.slice(0, -CHECKSUM_LENGTH)) === key.slice(-CHECKSUM_LENGTH);
}

function checksum(text: string): string {
  const digest = hash('sha256', `checksum:${text}`, 'buffer');
  return Array.from(digest.subarray(0, CHECKSUM_LENGTH), (byte) =>
    ALPHABET.charAt(byte % ALPHABET.length),
  ).join('');
}

function randomText(length: number): string {
  return Array.from({ length }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('');
}
