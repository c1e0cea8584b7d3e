import { z } from 'zod';
import { id, instantText } from '../contract/fields.ts';

const freeSlot = z.object({
  professionalId: id().describe('The professional who is free.'),
  startsAt: instantText().describe('The start of the slot.'),
  endsAt: instantText().describe('`startsAt` plus the duration of the service, without its buffer.'),
});

const heldUntil = instantText()
  .optional()
  .describe('With `includeHeld`: until when the slot is held. Absent when it is not held.');

export const freeSlotSchema = freeSlot.extend({ heldUntil }).meta({
  id: 'FreeSlot',
  description: 'A slot that can be booked.',
});

/** docs/availability.md#in-words */
const inWords = {
  professionalName: z.string().describe('The name shown to patients.'),
  localStart: z.iso.datetime({ offset: true }).describe('`startsAt` in the clinic’s time zone.'),
  spoken: z.string().describe('Day and time in words, to read aloud.'),
};

export const alternativeSchema = freeSlot.extend(inWords).meta({
  id: 'Alternative',
  description: 'A free slot near the requested time.',
});

export const foundSlotSchema = freeSlot
  .extend({ serviceTypeId: id().describe('The service of the slot.'), ...inWords, heldUntil })
  .meta({ id: 'FoundSlot', description: 'A slot found by a search.' });

export const alternativeExample = {
  professionalId: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a11',
  professionalName: 'Inês Carvalho',
  startsAt: '2026-03-02T10:30:00.000Z',
  endsAt: '2026-03-02T11:00:00.000Z',
  localStart: '2026-03-02T10:30:00+00:00',
  spoken: 'segunda-feira, 2 de março às 10:30',
};
