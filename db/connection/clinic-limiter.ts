import { createWaitQueue, type Waiting } from './wait-queue.ts';

interface Turn extends Waiting {
  resolve: () => void;
}

/**
 * Shares connections, memory and the processor among clinics: the work of each takes turns, at most `most` at a time, so that a clinic
 * whose queries are slow, or whose answers are long, waits for itself and the others do not. Work that waits too long for its turn is
 * rejected with `DatabaseBusy`. Work must not ask for another turn while it has one.
 * @param longestRestMs after each turn the clinic's next one begins as much later as the turn took, at most this many milliseconds, so
 * that a clinic with a queue of heavy work leaves half of the time, and of the garbage collector, to the others; 0 for no rest
 */
export function createClinicLimiter(most: number, longestRestMs = 0) {
  const clinics = new Map<string, { working: number; line: ReturnType<typeof createWaitQueue<Turn>> }>();

  const takeTurn = async <T>(whose: string, work: () => Promise<T>): Promise<T> => {
    const clinic = clinics.get(whose) ?? { working: 0, line: createWaitQueue<Turn>() };
    clinics.set(whose, clinic);
    if (clinic.working < most) clinic.working += 1;
    else await new Promise<void>((resolve, reject) => clinic.line.join({ resolve, reject }));
    const beganAt = performance.now();
    try {
      return await work();
    } finally {
      const [next] = clinic.line.take(1);
      if (next) afterRest(Math.min(performance.now() - beganAt, longestRestMs), next.resolve);
      else clinic.working -= 1;
      if (clinic.working === 0) clinics.delete(whose);
    }
  };
  /** How much work waits for its turn. */
  const waiting = () => clinics.values().reduce((sum, { line }) => sum + line.length, 0);
  return Object.assign(takeTurn, { waiting });
}

function afterRest(ms: number, resume: () => void): void {
  if (ms === 0) resume();
  else setTimeout(resume, ms);
}
