import { z } from 'zod';
import { id, instantText } from '../contract/fields.ts';

const freeSlot = z.object({
  professionalId: id().describe('Who is free.'),
  startsAt: instantText().describe('What to book.'),
  endsAt: instantText().describe('`startsAt` plus the duration of the service, without its buffer.'),
});

const heldUntil = instantText()
  .optional()
  .describe('With `includeHeld`: somebody holds it, until then; absent where nobody does.');

export const freeSlotSchema = freeSlot.extend({ heldUntil }).meta({
  id: 'FreeSlot',
  description: 'A time that can be booked, until somebody else does.',
});

/** docs/availability.md#in-words */
const inWords = {
  professionalName: z.string().describe('What patients call them.'),
  localStart: z.iso.datetime({ offset: true }).describe('`startsAt` as the clocks of the clinic show it.'),
  spoken: z.string().describe('Day and time in words, to be read aloud.'),
};

export const alternativeSchema = freeSlot.extend(inWords).meta({
  id: 'Alternative',
  description: 'A time near the one that was asked for that can be booked, until somebody else does.',
});

export const foundSlotSchema = freeSlot
  .extend({ serviceTypeId: id().describe('For which of the services.'), ...inWords, heldUntil })
  .meta({ id: 'FoundSlot', description: 'A time that was searched for, until somebody else books it.' });

export const alternativeExample = {
  professionalId: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a11',
  professionalName: 'Inês Carvalho',
  startsAt: '2026-03-02T10:30:00.000Z',
  endsAt: '2026-03-02T11:00:00.000Z',
  localStart: '2026-03-02T10:30:00+00:00',
  spoken: 'segunda-feira, 2 de março às 10:30',
};
