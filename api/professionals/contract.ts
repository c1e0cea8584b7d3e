import { z } from 'zod';
import { defineContracts } from '../contract/define-contracts.ts';
import { id, listOf } from '../contract/fields.ts';

/** docs/clinic-settings.md#professionals-and-services */
const professionalSchema = z
  .object({
    id: id(),
    name: z.string(),
    title: z.string().nullable(),
    specialty: z.string(),
    bio: z.string().nullable(),
    photoUrl: z.string().nullable(),
    email: z.string().nullable(),
    metadata: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'Professional' });

export const professionalContracts = defineContracts({
  listProfessionals: {
    method: 'GET',
    path: '/v1/professionals',
    tag: 'Professionals and services',
    summary: 'The clinic’s professionals',
    access: ['professionals:read'],
    rateClass: 'key',
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
