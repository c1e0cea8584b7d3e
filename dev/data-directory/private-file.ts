import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { z } from 'zod';
import { isErrorCode } from '../../adapters/error-code.ts';

/** Replaces a JSON file atomically, readable only by its owner. */
export function writePrivateJson(path: string, value: unknown): void {
  writeWhole(path, `${JSON.stringify(value, null, 2)}\n`, 0o600);
}

/** Replaces a file atomically: readers see the old file or the new one, never a part. */
export function writeWhole(path: string, text: string, mode: number): void {
  const unfinished = `${path}.new`;
  writeFileSync(unfinished, text, { mode });
  renameSync(unfinished, path);
}

/** Reads a JSON file; null when it does not exist. Throws when it does not match the schema. */
export function readPrivateJson<T>(path: string, schema: z.ZodType<T>): T | null {
  const text = readTextIfPresent(path);
  return text === null ? null : schema.parse(JSON.parse(text));
}

export function readTextIfPresent(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    // ESRCH: a process of `/proc` that ended between opening and reading.
    if (isErrorCode(error, 'ENOENT', 'ENOTDIR', 'ESRCH')) return null;
    throw error;
  }
}
