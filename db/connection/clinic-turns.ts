import { createWaitingLine, type Waiting } from './waiting-line.ts';

interface Turn extends Waiting {
  resolve: () => void;
}

/**
 * Shares connections, memory and the processor among clinics: the work of each takes turns, at most `most` at a time, so that a clinic
 * whose questions are slow, or whose answers are long, waits for itself and the others do not. Work that waits too long for its turn is rejected with
 * `DatabaseBusy`. Work must not ask for another turn while it has one.
 */
export function createClinicTurns(most: number) {
  const clinics = new Map<string, { working: number; line: ReturnType<typeof createWaitingLine<Turn>> }>();

  const takeTurn = async <T>(tenantId: string, work: () => Promise<T>): Promise<T> => {
    const clinic = clinics.get(tenantId) ?? { working: 0, line: createWaitingLine<Turn>() };
    clinics.set(tenantId, clinic);
    if (clinic.working < most) clinic.working += 1;
    else await new Promise<void>((resolve, reject) => clinic.line.join({ resolve, reject }));
    try {
      return await work();
    } finally {
      const [next] = clinic.line.take(1);
      if (next) next.resolve();
      else clinic.working -= 1;
      if (clinic.working === 0) clinics.delete(tenantId);
    }
  };
  /** How much work waits for its turn. */
  const waiting = () => clinics.values().reduce((sum, { line }) => sum + line.length, 0);
  return Object.assign(takeTurn, { waiting });
}
