import { z } from 'zod';
import { specialHoursSchema, workingHoursSchema } from '../../domain/clinic/working-hours.schema.ts';
import { defineContracts } from '../contract/define-contracts.ts';
import { id, listOf } from '../contract/fields.ts';

const WORKING_HOURS =
  'Their week, in the clinic’s zone, within the hours of the clinic; a weekday left out is off. Null: the hours of the clinic.';
const SPECIAL_HOURS =
  'Their hours on some dates, instead of both their week and the hours of the clinic; at most 400 dates. Null: none.';

/** docs/clinic-settings.md#professionals-and-services */
const professionalSchema = z
  .object({
    id: id().describe('Made by the service.'),
    name: z.string().describe('What patients read.'),
    title: z.string().nullable().describe('Such as `Dra.`, or null.'),
    specialty: z.string().describe('What they do, in the clinic’s own words.'),
    bio: z.string().nullable().describe('For patients, or null.'),
    photoUrl: z.string().nullable().describe('The address of a picture, or null.'),
    email: z.string().nullable().describe('For the clinic, or null.'),
    workingHours: workingHoursSchema.nullable().describe(WORKING_HOURS),
    specialHours: specialHoursSchema.nullable().describe(SPECIAL_HOURS),
    metadata: z.record(z.string(), z.unknown()).describe('Anything else; known is `calendarColor`.'),
  })
  .meta({ id: 'Professional', description: 'Somebody who takes appointments; kept by the operator.' });

export const professionalContracts = defineContracts({
  listProfessionals: {
    method: 'GET',
    path: '/v1/professionals',
    tag: 'Professionals and services',
    summary: 'The clinic’s professionals',
    access: ['professionals:read'],
    request: {},
    responses: {
      200: {
        description: 'Everyone who takes appointments, by name.',
        schema: listOf(professionalSchema, 'ProfessionalList'),
        example: {
          items: [
            {
              id: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a11',
              name: 'Inês Carvalho',
              title: 'Dra.',
              specialty: 'Orthodontics',
              bio: null,
              photoUrl: null,
              email: 'ines@sorriso.example',
              workingHours: { mon: [['10:00', '13:00']], tue: [['09:00', '13:00']] },
              specialHours: { '2026-12-24': [['09:00', '12:00']] },
              metadata: { calendarColor: '#3b82f6' },
            },
          ],
        },
      },
    },
    errors: [],
  },
});
