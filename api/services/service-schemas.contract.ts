import { z } from 'zod';
import { serviceRules } from '../../domain/clinic/service-rules.schema.ts';
import { cursorByName } from '../../domain/cursor.schema.ts';
import { id } from '../contract/fields.ts';

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

export const serviceExample = {
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
export const serviceBody = z.strictObject({
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
