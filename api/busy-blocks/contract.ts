import { z } from 'zod';
import { blockTitle, problemOfBlockEnd } from '../../domain/clinic/busy-block.schema.ts';
import { cursorByTime } from '../../domain/cursor.schema.ts';
import { component, oneAnswer, pageAnswer, recordedOnce } from '../contract/answers.ts';
import { defineContracts } from '../contract/define-contracts.ts';
import {
  id,
  instant,
  instantParameter,
  instantText,
  limitParameter,
  orNull,
  externalIdText,
} from '../contract/fields.ts';

/** docs/availability.md#busy-blocks */
export const busyBlockSchema = component(
  'BusyBlock',
  'A time at which a professional or the whole clinic cannot be booked.',
  {
    id: id().describe('Made by the service.'),
    externalId: z.string().describe('What your system calls it.'),
    professionalId: id().nullable().describe('Who cannot be booked then; null for the whole clinic.'),
    startsAt: instantText().describe('From when on.'),
    endsAt: instantText().describe('Until when, exclusive.'),
    title: z.string().nullable().describe('What it is for, or null.'),
    createdAt: instantText().describe('When it was made.'),
    updatedAt: instantText().describe('When it changed last.'),
  },
);

const savedBlockSchema = busyBlockSchema
  .extend({
    collidesWith: z
      .array(id())
      .max(100)
      .describe('Ids of the first 100 appointments, by start, that lie in it. They stay as they are.'),
  })
  .meta({ id: 'SavedBusyBlock', description: 'A busy block, and the appointments that lie in it.' });

const blockBody = z
  .strictObject({
    professionalId: id()
      .nullable()
      .describe('Who cannot be booked then, active or not; null for the whole clinic.'),
    startsAt: instant().describe('From when on, with an offset.'),
    endsAt: instant().describe('Until when, with an offset; at most 366 days later.'),
    title: orNull(blockTitle.nullable()).describe(
      'What it is for, at most 200 characters; null or left out for nothing.',
    ),
  })
  .superRefine(({ startsAt, endsAt }, context) => {
    const message = problemOfBlockEnd({ from: startsAt, until: endsAt });
    if (message !== null) context.addIssue({ code: 'custom', path: ['endsAt'], message });
  });

export const blockCursor = cursorByTime('busy blocks', 'startsAt');

const listQuery = z.strictObject({
  from: instantParameter().optional().meta({ description: 'Ends after this.' }),
  to: instantParameter().optional().meta({ description: 'Begins before this.' }),
  professionalId: id().optional().describe('Of this professional only, without those of the whole clinic.'),
  limit: limitParameter({ maximum: 1000, default: 1000 }),
  cursor: blockCursor.parameter.optional(),
});

const path = z.strictObject({
  externalId: externalIdText.describe('What your system calls it, 1 to 128 characters.'),
});

const example = {
  id: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a13',
  externalId: 'lunch-2026-03-02',
  professionalId: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a11',
  startsAt: '2026-03-02T13:00:00.000Z',
  endsAt: '2026-03-02T14:00:00.000Z',
  title: 'Lunch',
  createdAt: '2026-02-20T16:45:12.345Z',
  updatedAt: '2026-02-20T16:45:12.345Z',
};
const saved = { ...example, collidesWith: ['0195571c-5a60-7a3e-9f00-2f5d1c9b7a20'] };

export const busyBlockContracts = defineContracts('Busy blocks', null, {
  putBusyBlock: {
    operation: 'PUT /v1/busy-blocks/{externalId}',
    summary: 'Block time of a professional or of the clinic',
    description:
      'Makes the block that your system calls so, or makes it what the body says, as a whole: safe to repeat. Appointments ' +
      'that lie in it stay, and are named in `collidesWith`. Emits `tenant.config_updated` with `busyBlocks` in `changedKeys`, ' +
      'unless nothing changed.',
    access: ['professionals:write'],
    path,
    body: {
      schema: blockBody,
      examples: {
        lunch: {
          professionalId: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a11',
          startsAt: '2026-03-02T13:00:00+00:00',
          endsAt: '2026-03-02T14:00:00+00:00',
          title: 'Lunch',
        },
        clinicClosed: {
          professionalId: null,
          startsAt: '2026-08-10T00:00:00+01:00',
          endsAt: '2026-08-24T00:00:00+01:00',
        },
      },
    },
    responses: recordedOnce(savedBlockSchema, saved, 'The block is new.', 'The block as it is now.'),
  },
  listBusyBlocks: {
    operation: 'GET /v1/busy-blocks',
    summary: 'The clinic’s busy blocks, by start',
    description: 'In pages: pass `nextCursor` as `cursor` while `hasMore`.',
    access: ['professionals:read'],
    query: listQuery,
    responses: pageAnswer('A page of busy blocks.', 'BusyBlockPage', busyBlockSchema, example),
  },
  getBusyBlock: {
    operation: 'GET /v1/busy-blocks/{externalId}',
    summary: 'One busy block',
    access: ['professionals:read'],
    path,
    responses: oneAnswer(200, 'The block.', busyBlockSchema, example),
    errors: ['not_found'],
  },
  deleteBusyBlock: {
    operation: 'DELETE /v1/busy-blocks/{externalId}',
    summary: 'Take a busy block away',
    description: 'Emits `tenant.config_updated` with `busyBlocks` in `changedKeys`.',
    access: ['professionals:write'],
    path,
    responses: { 204: { description: 'There is no such block any more.' } },
    errors: ['not_found'],
  },
});
