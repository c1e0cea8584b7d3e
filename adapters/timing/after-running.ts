/** A timer that comes later than this has slept: the process was stopped, its machine suspended, or the loop blocked. */
const SLICE_MS = 1000;

/**
 * Calls `end` once this process has run for `ms`. Node looks at timers before it reads sockets, so that after a standstill a
 * plain timer would take for late what has long arrived; this one grants it another second. Returns what cancels it.
 */
export function afterRunning(ms: number, end: () => void): () => void {
  let timer: NodeJS.Timeout;
  const wait = (leftMs: number) => {
    // Of a deadline that has ended less than nothing is left.
    const sliceMs = Math.max(0, Math.min(leftMs, SLICE_MS));
    const dueMs = performance.now() + sliceMs;
    timer = setTimeout(() => {
      const hasSlept = performance.now() - dueMs > SLICE_MS;
      const stillMs = hasSlept ? leftMs : leftMs - sliceMs;
      if (stillMs > 0) wait(stillMs);
      else end();
    }, sliceMs);
  };
  wait(ms);
  return () => clearTimeout(timer);
}
