/** Lets a loop sleep until somebody rings. A ring while it is busy is kept for its next sleep. */
export interface WakeUp {
  ring(): void;
  /** Resolves at once after a ring that was not slept for, else at the next ring or after `limitMs`. */
  next(limitMs: number): Promise<void>;
}

export function createWakeUp(): WakeUp {
  let rung = false;
  let wake: (() => void) | null = null;
  return {
    ring() {
      rung = true;
      wake?.();
    },
    async next(limitMs) {
      if (!rung) await untilWoken(limitMs, (resolve) => (wake = resolve));
      wake = null;
      rung = false;
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
