/**
 * The length of one timer. If it fires this much too late, the process was stopped, its machine suspended, or the event
 * loop blocked.
 */
const SLICE_MS = 1000;

/**
 * Calls `end` after this process has run for `ms`. Node checks timers before it reads sockets, so after a standstill a
 * plain timer would expire although the data has arrived; this one waits another second. Returns a function that
 * cancels it.
 */
export function afterRunning(ms: number, end: () => void): () => void {
  let timer: NodeJS.Timeout;
  const wait = (leftMs: number) => {
    // The remaining time of an expired deadline is negative.
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
