import { setTimeout as pause } from 'node:timers/promises';

type Look<T> = () => Promise<T | null | undefined | false> | T | null | undefined | false;

/** Looks again and again until `look` returns something; undefined when that takes too long. */
export async function patiently<T>(look: Look<T>, limitMs: number, everyMs = 50): Promise<T | undefined> {
  const deadline = performance.now() + limitMs;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (performance.now() > deadline) return undefined;
    await pause(everyMs);
  }
}

/** @throws Error with what was awaited */
export async function until<T>(awaited: string, look: Look<T>, limitMs: number): Promise<T> {
  const found = await patiently(look, limitMs);
  if (found === undefined) throw new Error(`waited ${limitMs} ms in vain: ${awaited}`);
  return found;
}
