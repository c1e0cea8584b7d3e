import { createWaitQueue, type Waiting } from './wait-queue.ts';

interface Turn extends Waiting {
  resolve: () => void;
}

/**
 * Limits the concurrent work of each clinic to `most`, so that a clinic with slow queries or long answers delays only
 * itself. Work that waits too long is rejected with `DatabaseBusy`. Do not nest calls for one clinic.
 * @param longestRestMs after each piece of work, the clinic's next one is delayed by the time that the work took, up to
 * this limit, so that a clinic with a queue of heavy work leaves half of the time to others. 0: no delay
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
  /** The amount of queued work. */
  const waiting = () => clinics.values().reduce((sum, { line }) => sum + line.length, 0);
  return Object.assign(takeTurn, { waiting });
}

function afterRest(ms: number, resume: () => void): void {
  if (ms === 0) resume();
  else setTimeout(resume, ms);
}
