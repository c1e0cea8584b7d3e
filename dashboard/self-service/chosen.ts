import { z } from 'zod';
import { localDayOf } from '../../domain/clinic/hours/local-day.ts';
import { timeField } from '../appointments/time-choice.ts';
import type { Guest } from './guest.ts';

/** What for, with whom and when. */
export const chosenFields = z.object({ service: z.guid().toLowerCase(), time: timeField });
export type Chosen = z.output<typeof chosenFields>;

/** Of the times of the same day, for the same service. @param professional who was wished for; empty for anyone */
export function timesAddress(
  { home, format }: Guest,
  { service, time }: Chosen,
  professional: string,
): string {
  const { date: day } = localDayOf(time.startsAt, format.zone);
  return `${home}?${new URLSearchParams({ service, professional, day }).toString()}`;
}
