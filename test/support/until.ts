import { setTimeout as pause } from 'node:timers/promises';

const LOOK_EVERY_MS = 25;
/** As long as a slow machine may take. */
const LIMIT_MS = 120_000;

/** Looks again and again until `look` returns something, and fails with what was awaited when that takes too long. */
export async function until<T>(
  awaited: string,
  look: () => Promise<T | null | undefined | false> | T | null | undefined | false,
  limitMs = LIMIT_MS,
): Promise<T> {
  const deadline = Date.now() + limitMs;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (Date.now() > deadline) throw new Error(`waited ${limitMs} ms in vain: ${awaited}`);
    await pause(LOOK_EVERY_MS);
  }
}
