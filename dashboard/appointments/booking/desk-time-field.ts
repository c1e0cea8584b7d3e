import { z } from 'zod';
import type { DeskTime } from '../../../domain/appointments/desk-times.ts';

/** A time exactly as the page showed it. */
export interface ChosenDeskTime {
  startsAt: Date;
  professionalId: string;
  /** The end, only if the time is shorter than the service. */
  endsAt?: Date;
  /** False for a time outside the hours, as shown on the page. */
  respectHours: boolean;
}

const OUTSIDE = 'outside';

/** A time as sent by a radio button: `<start>/<professional>`, then the end of a short time, and `outside`. */
export const deskTimeField = z
  .string()
  .transform((text) => text.split('/'))
  .pipe(z.tuple([z.iso.datetime(), z.guid().toLowerCase()], z.union([z.iso.datetime(), z.literal(OUTSIDE)])))
  .transform(([startsAt, professionalId, ...unusual]): ChosenDeskTime => {
    const [endsAt] = unusual.filter((part) => part !== OUTSIDE);
    return {
      startsAt: new Date(startsAt),
      professionalId,
      ...(endsAt !== undefined && { endsAt: new Date(endsAt) }),
      respectHours: !unusual.includes(OUTSIDE),
    };
  });

export function deskTimeValue({ startsAt, endsAt, professionalId, isShort, isOutside }: DeskTime): string {
  return [
    startsAt.toISOString(),
    professionalId,
    ...(isShort ? [endsAt.toISOString()] : []),
    ...(isOutside ? [OUTSIDE] : []),
  ].join('/');
}
