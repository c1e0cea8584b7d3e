import { z } from 'zod';
import { holdSlot, releaseHold } from '../../commands/appointments/holds/hold-slot.ts';
import { requireFound } from '../../commands/require-found.ts';
import { findLiveHold } from '../../db/appointments/slot-holds.ts';
import { HOLD_SECONDS } from '../../domain/appointments/slot-hold.ts';
import { component, oneAnswer } from '../contract/answers.ts';
import { hasScope } from '../contract/caller.ts';
import { defineContracts } from '../contract/define-contracts.ts';
import { id, instant, instantText } from '../contract/fields.ts';
import { answer, implement } from '../contract/implement.ts';
import { presented } from '../../domain/presented.schema.ts';

const { least, most, usual } = HOLD_SECONDS;

/** docs/holds.md */
const holdSchema = component('SlotHold', 'A time that is kept free for somebody, until they book it.', {
  id: id().describe('Send it as `holdId` with the booking or the move.'),
  professionalId: id().describe('Whose time is kept.'),
  serviceTypeId: id().describe('What for.'),
  startsAt: instantText().describe('From when on.'),
  endsAt: instantText().describe('Until when, without the buffer of the service, which is kept too.'),
  expiresAt: instantText().describe('When it ends by itself.'),
  callId: id().nullable().describe('The call whose end lets it go, or null.'),
  createdAt: instantText().describe('When it was made.'),
});

const holdBody = z.strictObject({
  professionalId: id().describe('Whose time to keep.'),
  serviceTypeId: id().describe('What for: an active service that the professional offers.'),
  startsAt: instant().describe('From when on, with an offset: what a search has offered.'),
  endsAt: instant()
    .optional()
    .describe(
      'Until when, with an offset: after `startsAt` by at most 24 hours; as the service lasts unless told.',
    ),
  ttlSeconds: z
    .int()
    .min(least)
    .max(most)
    .optional()
    .describe(`For how long, ${least} to ${most} seconds; ${usual} unless told.`),
  callId: id()
    .nullish()
    .describe(
      'The call in which it is kept, one of the clinic that has not ended; its end lets the time go. Null for none.',
    ),
  respectHours: z
    .boolean()
    .optional()
    .describe(
      'Whether a time outside the hours of clinic and professional, or in a busy block, is refused: 409 `outside_hours`. True unless told.',
    ),
});

const example = {
  id: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a95',
  professionalId: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a11',
  serviceTypeId: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a12',
  startsAt: '2026-03-02T09:30:00.000Z',
  endsAt: '2026-03-02T10:00:00.000Z',
  expiresAt: '2026-02-20T16:50:12.345Z',
  callId: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a50',
  createdAt: '2026-02-20T16:45:12.345Z',
};

const slotHoldContracts = defineContracts('Slot holds', 'hold', {
  holdSlot: {
    operation: 'POST /v1/slot-holds',
    summary: 'Keep a time free while somebody decides',
    description:
      'Nobody else can book or hold the time until the hold ends: when it is booked with `holdId`, released, its call ends, or its ' +
      'time has come. The same call that asks for the same time again gets the hold that it has, for as long anew. Makes no event.',
    access: ['appointments:write'],
    body: {
      schema: holdBody,
      examples: {
        hold: {
          professionalId: example.professionalId,
          serviceTypeId: example.serviceTypeId,
          startsAt: '2026-03-02T09:30:00+00:00',
          ttlSeconds: 120,
        },
      },
    },
    responses: oneAnswer(201, 'The time is kept.', holdSchema, example, ['Location']),
    errors: [
      'slot_conflict',
      'outside_hours',
      'hold_limit_reached',
      'starts_in_past',
      'service_not_offered',
      'professional_inactive',
    ],
  },
  getSlotHold: {
    operation: 'GET /v1/slot-holds/{id}',
    summary: 'One hold, until it is over',
    access: ['appointments:write'],
    responses: oneAnswer(200, 'The time is still kept.', holdSchema, example),
  },
  releaseSlotHold: {
    operation: 'DELETE /v1/slot-holds/{id}',
    summary: 'Let a held time go',
    access: ['appointments:write'],
    responses: { 204: { description: 'The time is free.' } },
  },
});

export const slotHoldRoutes = implement(slotHoldContracts, () => ({
  holdSlot: async ({ body, caller, context, write }) => {
    const mayBackdate = hasScope(caller, 'appointments:source');
    const wanted = { ...body, tenantId: caller.tenantId, mayBackdate };
    const hold = await write((em) => holdSlot(em, wanted, context), { writesOnce: true });
    return answer(201, presented(holdSchema, hold), { Location: `/v1/slot-holds/${hold.id}` });
  },
  getSlotHold: async ({ path, caller: { tenantId }, read }) => {
    const hold = await read((em) => findLiveHold(em, tenantId, path.id));
    return answer(200, presented(holdSchema, requireFound(hold, 'hold', path.id)));
  },
  releaseSlotHold: async ({ path, caller: { tenantId }, write }) => {
    await write((em) => releaseHold(em, tenantId, path.id), { writesOnce: true });
    return answer(204, undefined);
  },
}));
