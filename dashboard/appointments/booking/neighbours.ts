import { z } from 'zod';
import type { DeskTime } from '../../../domain/appointments/desk-times.ts';
import type { ServiceError } from '../../../domain/service-error.ts';

const instant = z.iso.datetime().transform((text) => new Date(text));
const alternatives = z.array(
  z.object({ professionalId: z.guid(), professionalName: z.string(), startsAt: instant, endsAt: instant }),
);

/** A free time near a taken one, possibly on another day or with another professional. */
export type Neighbour = DeskTime & { professionalName: string };

/** The free times that an error contains. */
export function neighboursIn({ details }: ServiceError): Neighbour[] {
  const near = alternatives.safeParse(details.extras?.['alternatives']).data ?? [];
  return near.map((time) => ({ ...time, isShort: false, isOutside: false }));
}
