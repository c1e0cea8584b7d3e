import { z } from 'zod';
import { serviceRules } from '../../domain/clinic/service-rules.schema.ts';
import { cursorByName } from '../../domain/cursor.schema.ts';
import { inclusion } from '../../domain/named-enums.schema.ts';
import { oneAnswer, pageAnswer, recordedOnce } from '../contract/answers.ts';
import { defineContracts } from '../contract/define-contracts.ts';
import { id, limitParameter } from '../contract/fields.ts';

const MOST_ELIGIBLE = 500;

export const serviceCursor = cursorByName('services');

/** docs/professionals.md#services */
export const serviceSchema = z
  .object({
    id: id().describe('Made by the service.'),
    externalId: z.string().nullable().describe('What your system calls it, or null.'),
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
  .meta({ id: 'Service', description: 'What the clinic offers, or did.' });

const serviceExample = {
  id: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a12',
  externalId: 'check-up',
  name: 'Check-up',
  description: null,
  durationMinutes: 30,
  bufferMinutes: 5,
  priceEur: '50.00',
  eligibleProfessionalIds: ['0195571c-5a60-7a3e-9f00-2f5d1c9b7a11'],
  active: true,
};

/** What may be written, all of it. */
const serviceBody = z.strictObject({
  name: serviceRules.name.describe('What patients read, 1 to 200 characters, not blank.'),
  description: serviceRules.description
    .nullable()
    .describe('For patients, 1 to 5000 characters; null for none.'),
  durationMinutes: serviceRules.durationMinutes.describe(
    'How long an appointment lasts, 1 to 1440 minutes. Those that are booked keep their length.',
  ),
  bufferMinutes: serviceRules.bufferMinutes.describe(
    'How long the professional is not free afterwards, 0 to 1440 minutes; 0 unless told.',
  ),
  priceEur: serviceRules.priceEur
    .nullable()
    .describe('In euro, with at most eight digits before the point and two after it; null for none.'),
  eligibleProfessionalIds: z
    .array(id())
    .max(MOST_ELIGIBLE)
    .describe('Who offers the service, at most 500, replaced whole; empty: everybody does.'),
  externalId: serviceRules.externalId
    .nullable()
    .describe(
      'What your system calls it, 1 to 128 characters; one service of the clinic each. Null for none.',
    ),
  active: z
    .boolean()
    .describe('False: it cannot be booked any more; what is booked stands, and can still be moved.'),
});

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
