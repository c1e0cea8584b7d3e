import { z } from 'zod';
import { id, instantText } from '../contract/fields.ts';

export const freeSlotSchema = z
  .object({
    professionalId: id().describe('Who is free.'),
    startsAt: instantText().describe('What to book.'),
    endsAt: instantText().describe('`startsAt` plus the duration of the service, without its buffer.'),
  })
  .meta({ id: 'FreeSlot', description: 'A time that can be booked, until somebody else does.' });
