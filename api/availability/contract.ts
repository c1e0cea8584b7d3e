import { z } from 'zod';
import { cursorByTime } from '../../domain/cursor.schema.ts';
import { spokenLocale, SPOKEN_LOCALES } from '../../domain/appointments/spoken-time.ts';
import { PARTS_OF_DAY } from '../../domain/appointments/wanted-times.ts';
import { WEEKDAYS } from '../../domain/clinic/hours/business-hours.schema.ts';
import { listOf, oneAnswer, pageAnswer } from '../contract/answers.ts';
import { defineContracts } from '../contract/define-contracts.ts';
import { id, instant, instantParameter, limitParameter, lineText, exactlyOneOf } from '../contract/fields.ts';
import { alternativeExample, foundSlotSchema, freeSlotSchema } from './free-slot.contract.ts';

const LONGEST_RANGE_MS = 31 * 86_400_000;

/** By (`startsAt`, `professionalId`). */
export const slotCursor = cursorByTime('free slots', 'startsAt');

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
      .regex(/^(true|false)$/, 'must be `true` or `false`')
      .optional()
      .transform((value) => value === 'true')
      .describe('`true` shows slots that are held too, with `heldUntil`; they are left out unless told.'),
    limit: limitParameter({ maximum: 1000, default: 1000 }),
    cursor: slotCursor.parameter.optional(),
  })
  .refine(({ from, to }) => from < to, { path: ['to'], error: 'must be after `from`' })
  .refine(({ from, to }) => to.getTime() - from.getTime() <= LONGEST_RANGE_MS, {
    path: ['to'],
    error: 'must be at most 31 days after `from`',
  });

const MOST_IDS = 20;

const time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day, for example 09:30');

const locale = lineText({ min: 2, max: 35 })
  .transform((tag, context) => {
    const spoken = spokenLocale(tag);
    if (spoken) return spoken;
    context.addIssue({ code: 'custom', message: `must be one of ${SPOKEN_LOCALES.join(', ')}` });
    return z.NEVER;
  })
  .describe(
    'The language of `spoken`: `pt-PT`, `pt-BR`, `en`, `es`, `fr` or `de`. Unless told, `config.language` of the clinic, else by its country.',
  );

const searchBody = z
  .strictObject({
    serviceTypeId: id().describe('For this service; or say `serviceTypeIds`.'),
    serviceTypeIds: z.array(id()).min(1).max(MOST_IDS).describe('For any of these services, 1 to 20.'),
    professionalIds: z
      .array(id())
      .min(1)
      .max(MOST_IDS)
      .describe('With any of these, 1 to 20; with anybody who offers the service unless told.'),
    from: instant().describe('Earliest start, with an offset; now unless told.'),
    to: instant().describe(
      'Latest start, exclusive, with an offset; 14 days after `from` unless told, at most 62 days.',
    ),
    weekdays: z.array(z.enum(WEEKDAYS)).min(1).max(7).describe('On these days only, in the clinic’s zone.'),
    partOfDay: z
      .enum(PARTS_OF_DAY)
      .describe('`morning` until 12:00, `afternoon` until 18:00, `evening` from then on.'),
    notBefore: time.describe('No start before this time of day, such as `09:30`.'),
    notAfter: time.describe('No start after this time of day, inclusive.'),
    ignoreAppointmentId: id().describe('An appointment that is to be moved: its time counts as free.'),
    includeHeld: z
      .boolean()
      .describe('Whether to find slots that are held too, with `heldUntil`; they are left out unless told.'),
    limit: z.int().min(1).max(20).default(3).describe('So many at most, 1 to 20; 3 unless told.'),
    spread: z
      .enum(['soonest', 'days'])
      .default('soonest')
      .describe('`soonest`, unless told, or over different `days` as far as there are any.'),
    locale,
  })
  .partial()
  .superRefine(exactlyOneOf('serviceTypeId', 'serviceTypeIds'))
  .refine(({ notBefore = '', notAfter }) => notAfter === undefined || notBefore <= notAfter, {
    path: ['notAfter'],
    error: 'must not be before `notBefore`',
  });

export const availabilityContracts = defineContracts('Appointments', null, {
  findAvailability: {
    operation: 'GET /v1/availability',
    summary: 'Free slots of a service',
    description:
      'By start, then professional. Slots stand on a grid of duration and buffer from each opening: the hours of the clinic ' +
      '(`config.businessHours`, `config.specialHours`) and of the professional (`workingHours`, `specialHours`), in the clinic’s ' +
      'zone; without any it is open all day. Only slots in the future are shown. ' +
      'A service that is unknown or no longer offered has none. In pages: pass `nextCursor` as `cursor` while `hasMore`.',
    access: ['appointments:read'],
    query,
    responses: pageAnswer('A page of free slots.', 'FreeSlotPage', freeSlotSchema, {
      professionalId: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a11',
      startsAt: '2026-03-02T09:30:00.000Z',
      endsAt: '2026-03-02T10:00:00.000Z',
    }),
  },
  searchAvailability: {
    operation: 'POST /v1/availability/search',
    summary: 'Free slots as people ask for them',
    description:
      'The soonest few, or a few over several days, that fit what a patient said, each with words to read aloud. It finds what ' +
      '`GET /v1/availability` lists. By start.',
    access: ['appointments:read'],
    isQuery: true,
    body: {
      schema: searchBody,
      examples: {
        soonest: { serviceTypeId: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a12' },
        wish: {
          serviceTypeId: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a12',
          weekdays: ['mon', 'wed'],
          partOfDay: 'afternoon',
          spread: 'days',
          locale: 'en',
        },
      },
    },
    responses: oneAnswer(200, 'What was found, earliest first.', listOf(foundSlotSchema, 'FoundSlotList'), {
      items: [{ ...alternativeExample, serviceTypeId: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a12' }],
    }),
  },
});
