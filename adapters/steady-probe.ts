import { setTimeout as delay } from 'node:timers/promises';

/** Says whether a part can be used now; never throws. */
export type Probe = () => Promise<boolean>;

/** Less than the second that an orchestrator gives a probe by default. */
const DEADLINE_MS = 800;
const FRESH_MS = 1000;

interface Asked {
  answer: Promise<boolean>;
  isOver: boolean;
  staleAt: number;
}

/**
 * Asks at most once a second, however many want to know, and never again while a question is still open: a part that hangs
 * is not made to hang more. What says nothing within its deadline is not there.
 */
export function createSteadyProbe(probe: Probe): Probe {
  let latest: Asked | null = null;
  return () => {
    if (!latest || (latest.isOver && performance.now() >= latest.staleAt)) latest = ask(probe);
    return latest.answer;
  };
}

function ask(probe: Probe): Asked {
  const asked: Asked = {
    answer: Promise.race([
      probe().finally(() => (asked.isOver = true)),
      delay(DEADLINE_MS, false, { ref: false }),
    ]),
    isOver: false,
    staleAt: performance.now() + FRESH_MS,
  };
  return asked;
}
