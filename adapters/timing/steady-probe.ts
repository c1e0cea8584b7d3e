import { createSteadyAnswer } from './steady-answer.ts';

/** Says whether a part can be used now; never throws. */
export type Probe = () => Promise<boolean>;

/** The deadline is less than the second that an orchestrator gives a probe by default. */
const TIMES = { deadlineMs: 800, freshMs: 1000 };

/** Asks at most once a second. What says nothing within its deadline is not there. */
export function createSteadyProbe(probe: Probe): Probe {
  const ask = createSteadyAnswer(probe, TIMES);
  return async () => (await ask()) ?? false;
}
