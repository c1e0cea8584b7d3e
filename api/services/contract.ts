import { z } from 'zod';
import { defineContracts } from '../contract/define-contracts.ts';
import { id, listOf } from '../contract/fields.ts';

/** docs/clinic-settings.md#professionals-and-services */
const serviceSchema = z
  .object({
    id: id().describe('Made by the service.'),
    name: z.string().describe('What patients read.'),
    description: z.string().nullable().describe('For patients, or null.'),
    durationMinutes: z.int().min(1).describe('How long an appointment lasts, in minutes.'),
    bufferMinutes: z.int().min(0).describe('How long the professional is not free afterwards, in minutes.'),
    priceEur: z
      .string()
      .regex(/^\d+\.\d{2}$/)
      .nullable()
      .describe('In euro, with two decimals; null when there is none.'),
    eligibleProfessionalIds: z
      .array(id())
      .meta({ description: 'Who offers the service; empty when everybody does.' }),
    active: z.boolean().describe('Whether it can be booked.'),
  })
  .meta({ id: 'Service', description: 'What the clinic offers; kept by the operator.' });

export const serviceContracts = defineContracts({
  listServices: {
    method: 'GET',
    path: '/v1/services',
    tag: 'Professionals and services',
    summary: 'The clinic’s services',
    access: ['services:read'],
    request: {},
    responses: {
      200: {
        description: 'Every service, inactive ones too, by name.',
        schema: listOf(serviceSchema, 'ServiceList'),
        example: {
          items: [
            {
              id: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a12',
              name: 'Check-up',
              description: null,
              durationMinutes: 30,
              bufferMinutes: 5,
              priceEur: '50.00',
              eligibleProfessionalIds: ['0195571c-5a60-7a3e-9f00-2f5d1c9b7a11'],
              active: true,
            },
          ],
        },
      },
    },
    errors: [],
  },
});
