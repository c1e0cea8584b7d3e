import { z } from 'zod';
import { serviceRules } from '../../domain/clinic/service-rules.schema.ts';
import { inclusion } from '../../domain/named-enums.schema.ts';
import { oneAnswer, pageAnswer, recordedOnce } from '../contract/answers.ts';
import { defineContracts } from '../contract/define-contracts.ts';
import { limitParameter } from '../contract/fields.ts';
import { serviceBody, serviceCursor, serviceExample, serviceSchema } from './service-schemas.contract.ts';

const ANNOUNCED = 'Emits `tenant.config_updated` with `changedKeys: ["services"]`';

const found = { 200: { description: 'The service.', schema: serviceSchema, example: serviceExample } };

export const serviceContracts = defineContracts('Professionals and services', 'service', {
  listServices: {
    operation: 'GET /v1/services',
    summary: 'The clinic’s services',
    access: ['services:read'],
    query: z.strictObject({
      include: inclusion.optional().describe('`inactive`: those that are offered no longer, too.'),
      externalId: serviceRules.externalId
        .optional()
        .describe('The one that your system calls so, active or not.'),
      limit: limitParameter({ maximum: 1000, default: 1000 }),
      cursor: serviceCursor.parameter.optional(),
    }),
    responses: pageAnswer(
      'Every service that can be booked, by name.',
      'ServiceList',
      serviceSchema,
      serviceExample,
    ),
  },
  createService: {
    operation: 'POST /v1/services',
    summary: 'Add a service',
    description: `It can be booked at once. ${ANNOUNCED}.`,
    access: ['services:write'],
    body: {
      schema: serviceBody.partial().required({ name: true, durationMinutes: true }),
      examples: {
        service: {
          name: 'Whitening',
          durationMinutes: 60,
          bufferMinutes: 10,
          priceEur: '120.00',
          eligibleProfessionalIds: serviceExample.eligibleProfessionalIds,
          externalId: 'whitening',
        },
      },
    },
    responses: oneAnswer(
      201,
      'The service.',
      serviceSchema,
      { ...serviceExample, name: 'Whitening', externalId: 'whitening', durationMinutes: 60 },
      ['Location'],
    ),
    errors: ['external_id_conflict'],
  },
  getService: {
    operation: 'GET /v1/services/{id}',
    summary: 'One service, also one that is offered no longer',
    access: ['services:read'],
    responses: found,
  },
  updateService: {
    operation: 'PATCH /v1/services/{id}',
    summary: 'Change a service',
    description: `Fields not present stay as they are. ${ANNOUNCED}, unless all is as it was.`,
    access: ['services:write'],
    body: { schema: serviceBody.partial(), examples: { price: { priceEur: '55.00', bufferMinutes: 10 } } },
    responses: found,
    errors: ['external_id_conflict'],
  },
  putService: {
    operation: 'PUT /v1/services/by-external-id/{externalId}',
    summary: 'Add or change a service by the id of your system',
    description:
      'The service that your system calls so is changed, active or not; fields not present stay as they are. If there is ' +
      `none, one is added, which needs \`name\` and \`durationMinutes\`. Safe to repeat. ${ANNOUNCED}, unless all is as it was.`,
    access: ['services:write'],
    path: z.strictObject({
      externalId: serviceRules.externalId.describe('What your system calls it, 1 to 128 characters.'),
    }),
    body: {
      schema: serviceBody.omit({ externalId: true }).partial(),
      examples: { service: { name: 'Check-up', durationMinutes: 30, priceEur: '50.00', active: true } },
    },
    responses: recordedOnce(
      serviceSchema,
      serviceExample,
      'The service, added.',
      'The service, which was there before, as it is now.',
    ),
  },
});
