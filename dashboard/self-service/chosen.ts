import { z } from 'zod';
import { localDayOf } from '../../domain/clinic/hours/local-day.ts';
import { timeField } from '../appointments/time-choice.ts';
import type { Guest } from './guest.ts';

/** Service, professional and time. */
export const chosenFields = z.object({ service: z.guid().toLowerCase(), time: timeField });
export type Chosen = z.output<typeof chosenFields>;

/**
 * The page with the times of the same day and service. @param professional the preferred professional; empty for no
 * preference
 */
export function timesAddress(
  { home, format }: Guest,
  { service, time }: Chosen,
  professional: string,
): string {
  const { date: day } = localDayOf(time.startsAt, format.zone);
  return `${home}?${new URLSearchParams({ service, professional, day }).toString()}`;
}
