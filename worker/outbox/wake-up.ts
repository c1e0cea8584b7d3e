/** What nobody woke it for, a loop over the outbox finds by looking so often. */
export const POLL_EVERY_MS = 1000;

/** Lets a loop sleep until it is woken. A call while it is busy is kept for its next sleep. */
export interface WakeUp {
  wake(): void;
  /** Resolves at once after a call that was not slept for, else at the next one or after `limitMs`. */
  next(limitMs: number): Promise<void>;
}

export function createWakeUp(): WakeUp {
  let isAsked = false;
  let wakeSleeper: (() => void) | null = null;
  return {
    wake() {
      isAsked = true;
      wakeSleeper?.();
    },
    async next(limitMs) {
      if (!isAsked) await untilWoken(limitMs, (resolve) => (wakeSleeper = resolve));
      wakeSleeper = null;
      isAsked = false;
    },
  };
}

function untilWoken(limitMs: number, register: (resolve: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, limitMs);
    register(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
