import { z } from 'zod';
import { blockTitle, problemOfBlockEnd } from '../../domain/clinic/busy-block.schema.ts';
import type { TimeRange } from '../../domain/appointments/slot.ts';
import { localDay } from '../../domain/clinic/hours/local-day.ts';
import { optional } from '../filled-in.schema.ts';
import { readLocalRange } from '../language/local-time.ts';
import { readFields, type ReadFields } from '../serving/read-fields.ts';

/** Parts of a day that one button blocks. */
export const PARTS = ['morning', 'afternoon', 'day'] as const;
export type DayPart = (typeof PARTS)[number];

/** The value for the whole clinic. */
export const CLINIC = 'clinic';

export interface FilledInBlock extends TimeRange {
  professionalId: string | null;
  title: string | null;
}

const NOON = '12:00';
const MIDNIGHT = '00:00';

const whose = z.union([z.literal(CLINIC).transform(() => null), z.guid()]);

/** A part of a day in the clinic's zone. */
export function readPartOfDay(form: URLSearchParams, part: DayPart, zone: string): ReadFields<FilledInBlock> {
  const day = z.string().transform((text, context) => {
    const { from, until } = rangeOf(localDay(text, zone), part, zone);
    if (from && until) return { from, until };
    context.addIssue({ code: 'custom' });
    return z.NEVER;
  });
  const { fields, wrong } = readFields(z.object({ whose, day }), form);
  if (wrong) return { fields: null, wrong };
  return { fields: { ...fields.day, professionalId: fields.whose, title: null }, wrong: null };
}

function rangeOf(day: ReturnType<typeof localDay>, part: DayPart, zone: string) {
  const { date = '', next = '' } = day ?? {};
  const from = `${date}T${part === 'afternoon' ? NOON : MIDNIGHT}`;
  const to = part === 'morning' ? `${date}T${NOON}` : `${next}T${MIDNIGHT}`;
  return readLocalRange({ from, to }, zone);
}

/** Reads any range of time, also over several days. */
export function readTimes(form: URLSearchParams, zone: string): ReadFields<FilledInBlock> {
  const schema = z
    .object({ whose, from: z.string(), to: z.string(), title: z.string().trim().pipe(optional(blockTitle)) })
    .transform(({ from: begins, to, whose: professionalId, title }, context) => {
      const { from, until } = readLocalRange({ from: begins, to }, zone);
      if (from && until && problemOfBlockEnd({ from, until }) === null)
        return { from, until, professionalId, title };
      context.addIssue({ code: 'custom', path: [from ? 'to' : 'from'] });
      return z.NEVER;
    });
  return readFields(schema, form);
}
