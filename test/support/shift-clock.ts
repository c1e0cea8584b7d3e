const PRELOAD = new URL('shifted-clock-main.ts', import.meta.url);

/** The environment of a process whose clock is off by so much. */
export function clockOffBy(ms: number): Record<string, string> {
  return { NODE_OPTIONS: `--import ${PRELOAD.href}`, CLOCK_OFF_BY_MS: String(ms) };
}

/** Who asks for the time is told one that is off by so much; what only measures how long goes on. Returns how to end it. */
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
