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
const holdSchema = component('SlotHold', 'A slot that is held for a caller.', {
  id: id().describe('Send it as `holdId` when you book or reschedule.'),
  professionalId: id().describe('The professional.'),
  serviceTypeId: id().describe('The service.'),
  startsAt: instantText().describe('Start.'),
  endsAt: instantText().describe('The end, without the buffer of the service. The buffer is held too.'),
  expiresAt: instantText().describe('When the hold expires.'),
  callId: id().nullable().describe('The call. When it ends, the hold is released. Null for none.'),
  createdAt: instantText().describe('When it was created.'),
});

const holdBody = z.strictObject({
  professionalId: id().describe('The professional.'),
  serviceTypeId: id().describe('An active service that the professional offers.'),
  startsAt: instant().describe('Start, with an offset, as found by a search.'),
  endsAt: instant()
    .optional()
    .describe(
      'End, with an offset: at most 24 hours after `startsAt`. By default, after the duration of the service.',
    ),
  ttlSeconds: z
    .int()
    .min(least)
    .max(most)
    .optional()
    .describe(`Seconds until the hold expires, ${least} to ${most}. By default, ${usual}.`),
  callId: id().nullish().describe('A call in progress; its end releases the hold. Null for none.'),
  respectHours: z
    .boolean()
    .optional()
    .describe(
      'Whether to refuse a time outside the hours of the clinic or the professional, or in a busy block (409 `outside_hours`). By default, true.',
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
    summary: 'Hold a slot',
    description:
      'No one else can book or hold the slot until the hold ends: when it is booked with `holdId` or released, its call ends, or its ' +
      'time expires. If the same call holds the same slot again, its hold is extended. Sends no event.',
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
    responses: oneAnswer(201, 'The slot is held.', holdSchema, example, ['Location']),
    errors: [
      'slot_conflict',
      'already_booked',
      'outside_hours',
      'hold_limit_reached',
      'starts_in_past',
      'service_not_offered',
      'professional_inactive',
    ],
  },
  getSlotHold: {
    operation: 'GET /v1/slot-holds/{id}',
    summary: 'Get a hold',
    access: ['appointments:write'],
    responses: oneAnswer(200, 'The slot is still held.', holdSchema, example),
  },
  releaseSlotHold: {
    operation: 'DELETE /v1/slot-holds/{id}',
    summary: 'Release a hold',
    access: ['appointments:write'],
    responses: { 204: { description: 'The slot is free.' } },
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
