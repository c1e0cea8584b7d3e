import { DatabaseBusy } from './database-errors.ts';

/** So many may wait … */
const MAX_WAITING = 1000;
/** … for so long. */
const MAX_WAIT_MS = 3000;

export interface Waiting {
  reject: (error: unknown) => void;
}

/** Those who wait for the database, first come first served. */
export function createWaitQueue<T extends Waiting>() {
  const line: { waiting: T; until: number }[] = [];
  let alarm: NodeJS.Timeout | null = null;

  function sendAway(): void {
    const now = performance.now();
    while (line[0] && line[0].until <= now) line.shift()?.waiting.reject(new DatabaseBusy());
    alarm = line[0] ? setTimeout(sendAway, Math.ceil(line[0].until - now)).unref() : null;
  }

  return {
    get length(): number {
      return line.length;
    },
    /** Rejects one who finds the line full, and anyone who has stood in it for too long, with `DatabaseBusy`. */
    join(waiting: T): void {
      if (line.length === MAX_WAITING) return waiting.reject(new DatabaseBusy());
      line.push({ waiting, until: performance.now() + MAX_WAIT_MS });
      alarm ??= setTimeout(sendAway, MAX_WAIT_MS).unref();
    },
    /** The first of the line, at most so many; they wait no more. */
    take: (most: number): T[] => line.splice(0, most).map(({ waiting }) => waiting),
  };
}
