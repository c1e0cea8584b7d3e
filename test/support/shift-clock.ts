const PRELOAD = new URL('shifted-clock-main.ts', import.meta.url);

/** The environment of a process whose clock is wrong by this much. */
export function clockOffBy(ms: number): Record<string, string> {
  return { NODE_OPTIONS: `--import ${PRELOAD.href}`, CLOCK_OFF_BY_MS: String(ms) };
}

/** Shifts the wall clock; the monotonic clock continues. Returns a function that restores it. */
export function shiftClock(byMs: number): () => void {
  const TrueDate = globalThis.Date;
  const now = () => TrueDate.now() + byMs;
  globalThis.Date = new Proxy(TrueDate, {
    construct: (target, args, newTarget) =>
      Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget) as Date,
    get: (target, name) => (name === 'now' ? now : (Reflect.get(target, name) as unknown)),
  });
  return () => void (globalThis.Date = TrueDate);
}
