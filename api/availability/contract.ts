import { z } from 'zod';
import { cursorOf } from '../../domain/cursor.schema.ts';
import { defineContracts } from '../contract/define-contracts.ts';
import { epochMs, id, instantParameter, limitParameter, pageOf } from '../contract/fields.ts';
import { pageAnswer } from '../contract/usual-answers.ts';
import { freeSlotSchema } from './free-slot.contract.ts';

const LONGEST_RANGE_MS = 31 * 86_400_000;

/** `startsAt` in epoch milliseconds and professional of the last slot shown. */
export const slotCursor = cursorOf('free slots', z.tuple([epochMs(), z.guid()]));

const query = z
  .strictObject({
    serviceTypeId: id().describe('For this service.'),
    from: instantParameter().meta({ description: 'Earliest `startsAt`, inclusive.' }),
    to: instantParameter().meta({
      description: 'Latest `startsAt`, exclusive; at most 31 days after `from`.',
    }),
    professionalId: id().optional().describe('With this professional only.'),
    includeHeld: z
      .string()
      .meta({ type: 'boolean' })
      .regex(/^(true|false)$/, 'must be true or false')
      .optional()
      .transform((value) => value === 'true')
      .describe('`true` shows slots that are held too, with `heldUntil`; they are left out unless told.'),
    limit: limitParameter({ maximum: 1000, default: 1000 }),
    cursor: slotCursor.parameter.optional(),
  })
  .refine(({ from, to }) => from < to, { path: ['to'], error: 'must lie after from' })
  .refine(({ from, to }) => to.getTime() - from.getTime() <= LONGEST_RANGE_MS, {
    path: ['to'],
    error: 'must lie at most 31 days after from',
  });

export const availabilityContracts = defineContracts('Appointments', {
  findAvailability: {
    method: 'GET',
    path: '/v1/availability',
    summary: 'Free slots of a service',
    description:
      'By start, then professional. Slots stand on a grid of duration and buffer from each opening: the hours of the clinic ' +
      '(`config.businessHours`, `config.specialHours`) and of the professional (`workingHours`, `specialHours`), in the clinic’s ' +
      'zone; without any it is open all day. Only slots in the future are shown. ' +
      'A service that is unknown or no longer offered has none. In pages: pass `nextCursor` as `cursor` while `hasMore`.',
    access: ['appointments:read'],
    request: { query },
    responses: pageAnswer('A page of free slots.', pageOf(freeSlotSchema, 'FreeSlotPage'), {
      professionalId: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a11',
      startsAt: '2026-03-02T09:30:00.000Z',
      endsAt: '2026-03-02T10:00:00.000Z',
    }),
  },
});
