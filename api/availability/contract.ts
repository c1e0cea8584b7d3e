import { z } from 'zod';
import { cursorByTime } from '../../domain/lists/cursor.schema.ts';
import { spokenLocale, SPOKEN_LOCALES } from '../../domain/appointments/spoken-time.ts';
import { PARTS_OF_DAY } from '../../domain/appointments/wanted-times.ts';
import { WEEKDAYS } from '../../domain/clinic/hours/business-hours.schema.ts';
import { listOf, oneAnswer, pageAnswer } from '../contract/answers.ts';
import { defineContracts } from '../contract/define-contracts.ts';
import { id, instant, instantParameter, limitParameter, lineText, exactlyOneOf } from '../contract/fields.ts';
import { alternativeExample, foundSlotSchema, freeSlotSchema } from './free-slot.contract.ts';

/** The days that are searched without an end. */
export const USUAL_DAYS = 14;

const MAX_RANGE_MS = 31 * 86_400_000;

/** A cursor of (`startsAt`, `professionalId`). */
export const slotCursor = cursorByTime('free slots', 'startsAt');

const query = z
  .strictObject({
    serviceTypeId: id().describe('The service.'),
    from: instantParameter().meta({ description: 'Earliest `startsAt`, inclusive.' }),
    to: instantParameter().meta({
      description: 'Latest `startsAt`, exclusive; at most 31 days after `from`.',
    }),
    professionalId: id().optional().describe('Only slots with this professional.'),
    includeHeld: z
      .string()
      .meta({ type: 'boolean' })
      .regex(/^(true|false)$/, 'must be `true` or `false`')
      .optional()
      .transform((value) => value === 'true')
      .describe('`true` includes held slots, with `heldUntil`. By default, they are left out.'),
    limit: limitParameter({ maximum: 1000, default: 1000 }),
    cursor: slotCursor.parameter.optional(),
  })
  .refine(({ from, to }) => from < to, { path: ['to'], error: 'must be after `from`' })
  .refine(({ from, to }) => to.getTime() - from.getTime() <= MAX_RANGE_MS, {
    path: ['to'],
    error: 'must be at most 31 days after `from`',
  });

const MAX_IDS = 20;

const time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day, for example 09:30');

const locale = lineText({ min: 2, max: 35 })
  .transform((tag, context) => {
    const spoken = spokenLocale(tag);
    if (spoken) return spoken;
    context.addIssue({ code: 'custom', message: `must be one of ${SPOKEN_LOCALES.join(', ')}` });
    return z.NEVER;
  })
  .describe(
    'The language of `spoken`: `pt-PT`, `pt-BR`, `en`, `es`, `fr` or `de`. By default, `config.language` of the clinic, else the language of its country.',
  );

const searchBody = z
  .strictObject({
    serviceTypeId: id().describe('The service. Use this or `serviceTypeIds`.'),
    serviceTypeIds: z.array(id()).min(1).max(MAX_IDS).describe('Any of these services, 1 to 20.'),
    professionalIds: z
      .array(id())
      .min(1)
      .max(MAX_IDS)
      .describe('Any of these professionals, 1 to 20. By default, all who offer the service.'),
    from: instant().describe('Earliest start, with an offset. By default, now.'),
    to: instant().describe(
      'Latest start, exclusive, with an offset: at most 62 days after `from`. By default, 14 days.',
    ),
    weekdays: z
      .array(z.enum(WEEKDAYS))
      .min(1)
      .max(7)
      .describe('Only on these days, in the clinic’s time zone.'),
    partOfDay: z
      .enum(PARTS_OF_DAY)
      .describe('`morning` until 12:00, `afternoon` until 18:00, `evening` after that.'),
    notBefore: time.describe('Earliest time of day, for example `09:30`.'),
    notAfter: time.describe('Latest time of day, inclusive.'),
    ignoreAppointmentId: id().describe('The appointment to reschedule. Its current time counts as free.'),
    includeHeld: z
      .boolean()
      .describe('Whether to include held slots, with `heldUntil`. By default, they are left out.'),
    limit: z.int().min(1).max(20).default(3).describe('Maximum number of slots, 1 to 20. By default, 3.'),
    spread: z
      .enum(['soonest', 'days'])
      .default('soonest')
      .describe('`soonest` (default), or spread over different `days` where possible.'),
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
    summary: 'List free slots',
    description:
      'Ordered by start, then professional. From each opening time on, a slot begins after every duration plus buffer. The opening times are the hours of the clinic ' +
      '(`config.businessHours`, `config.specialHours`) and of the professional (`workingHours`, `specialHours`), in the clinic’s ' +
      'time zone. If no hours are set, the clinic is open all day. Only future slots are listed. ' +
      'An unknown or inactive service has no slots. While `hasMore` is true, pass `nextCursor` as `cursor`.',
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
    summary: 'Search free slots',
    description:
      'Finds the soonest slots, or slots spread over several days, that match what a patient asked for. Each slot has a text to read aloud. The slots are the same as in ' +
      '`GET /v1/availability`. Ordered by start.',
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
    responses: oneAnswer(200, 'The slots found, earliest first.', listOf(foundSlotSchema, 'FoundSlotList'), {
      items: [{ ...alternativeExample, serviceTypeId: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a12' }],
    }),
  },
});
