import { z } from 'zod';
import { defineContracts } from '../contract/define-contracts.ts';
import { id, listOf } from '../contract/fields.ts';

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
              metadata: { calendarColor: '#3b82f6' },
            },
          ],
        },
      },
    },
    errors: [],
  },
});
