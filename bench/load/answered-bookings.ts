import { setTimeout as pause } from 'node:timers/promises';
import { monotonicMs } from '../monotonic.ts';
import { latencyColumns } from '../report/percentile.ts';
import type { Row } from '../scenario.ts';
import type { Caller } from './caller.ts';
import { evenly } from './pace.ts';

/** How long bookings took, each from when it was due to its answer. */
export interface Answers {
  ms: number[];
  failed: number;
}

export function bookingsFor(caller: Caller, perSecond: number, seconds: number): Promise<Answers> {
  return bookingsUntil(caller, perSecond, pause(1000 * seconds));
}

/** Bookings at an even pace until something has ended; its failure is theirs. */
export async function bookingsUntil(
  caller: Caller,
  perSecond: number,
  ended: Promise<unknown>,
): Promise<Answers> {
  const [answers, ending]: [Answers, AbortController] = [{ ms: [], failed: 0 }, new AbortController()];
  const load = evenly(
    perSecond,
    Infinity,
    async (dueAt) => {
      const { status } = await caller.send('POST', '/v1/appointments', caller.nextBooking());
      answers.ms.push(monotonicMs() - dueAt);
      if (status !== 201) answers.failed += 1;
    },
    ending.signal,
  );
  await ended.finally(() => ending.abort());
  await load;
  return answers;
}

export function rowOfAnswers({ ms, failed }: Answers): Row {
  return { ...latencyColumns(ms), requests: ms.length, 'failed requests': failed };
}
