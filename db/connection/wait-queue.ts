import { DatabaseBusy } from './database-errors.ts';

/** The length of the queue. */
const MAX_WAITING = 1000;
/** The longest wait. */
const MAX_WAIT_MS = 3000;

export interface Waiting {
  reject: (error: unknown) => void;
}

/** A first-in, first-out queue of callers that wait for the database. */
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
    /** Rejects with `DatabaseBusy` when the queue is full or the wait was too long. */
    join(waiting: T): void {
      if (line.length === MAX_WAITING) return waiting.reject(new DatabaseBusy());
      line.push({ waiting, until: performance.now() + MAX_WAIT_MS });
      alarm ??= setTimeout(sendAway, MAX_WAIT_MS).unref();
    },
    /** Removes and returns the first callers, at most `most`. */
    take: (most: number): T[] => line.splice(0, most).map(({ waiting }) => waiting),
  };
}
