import { z } from 'zod';
import { spokenLocale, SPOKEN_LOCALES } from '../../domain/appointments/spoken-time.ts';
import { PARTS_OF_DAY } from '../../domain/appointments/wanted-times.ts';
import { WEEKDAYS } from '../../domain/clinic/hours/business-hours.schema.ts';
import { defineContracts } from '../contract/define-contracts.ts';
import { id, instant, listOf, text } from '../contract/fields.ts';
import { alternativeExample, foundSlotSchema } from './free-slot.contract.ts';

const MOST_IDS = 20;

const time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day such as 09:30');

const locale = text({ min: 2, max: 35 })
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
  .refine((body) => (body.serviceTypeId === undefined) !== (body.serviceTypeIds === undefined), {
    path: ['serviceTypeId'],
    error: 'must be given, or serviceTypeIds in its place',
  })
  .refine(({ notBefore = '', notAfter }) => notAfter === undefined || notBefore <= notAfter, {
    path: ['notAfter'],
    error: 'must not lie before notBefore',
  });

export const slotSearchContracts = defineContracts('Appointments', {
  searchAvailability: {
    method: 'POST',
    path: '/v1/availability/search',
    summary: 'Free slots as people ask for them',
    description:
      'The soonest few, or a few over several days, that fit what a patient said, each with words to read aloud. It finds what ' +
      '`GET /v1/availability` lists. By start.',
    access: ['appointments:read'],
    isQuery: true,
    request: {
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
    },
    responses: {
      200: {
        description: 'What was found, earliest first.',
        schema: listOf(foundSlotSchema, 'FoundSlotList'),
        example: {
          items: [{ ...alternativeExample, serviceTypeId: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a12' }],
        },
      },
    },
  },
});
