import { z } from 'zod';
import {
  cancellationReason,
  errorCode,
  importedStatus,
  importResult,
} from '../../domain/named-enums.schema.ts';
import { component, oneAnswer } from '../contract/answers.ts';
import { defineContracts } from '../contract/define-contracts.ts';
import { showsImported } from '../contract/shown-patients.ts';
import { fieldProblem } from '../contract/error-body.ts';
import { externalIdText, id, instant } from '../contract/fields.ts';
import { nullAsAbsent } from '../contract/null-as-absent.ts';
import { writtenFields } from './contract.ts';

const MAX_ITEMS = 500;
const MAX_BYTES = 4 * 1024 * 1024;

const { professionalId, patientName, patientPhone, startsAt, endsAt, ...more } = writtenFields;
const optional = z.object(more).partial();

/** One appointment from the other system. docs/import.md#an-item */
export const importItem = nullAsAbsent(
  z
    .strictObject({
      externalId: externalIdText.describe(
        'The ID of the appointment in your system, 1 to 128 characters. It identifies the appointment when you import it again.',
      ),
      professionalId: professionalId.describe('The professional, active or not.'),
      serviceTypeId: id()
        .nullish()
        .describe('The service, active or not. Required unless `endsAt` is given.'),
      startsAt: startsAt.describe('When it starts, with an offset; before the year 2200.'),
      endsAt: endsAt.optional(),
      patientName,
      patientPhone,
      status: importedStatus
        .optional()
        .describe(
          'The status. By default, the status of the stored appointment; for a new appointment in the future, `confirmed`.',
        ),
      checkedInAt: instant()
        .optional()
        .meta({ description: 'When the patient checked in, if known. Only with `status: attended`.' }),
      reason: cancellationReason.optional().meta({
        description: 'The reason. Only with `status: cancelled`. By default, `clinic_cancelled`.',
      }),
      overlap: z
        .boolean()
        .optional()
        .describe('Whether to book over other appointments and patients’ holds. By default, false.'),
      source: z.literal('sync_external').optional().describe('Always `sync_external`.'),
      ...optional.shape,
    })
    .refine(({ serviceTypeId, endsAt: end }) => Boolean(serviceTypeId) || end !== undefined, {
      path: ['serviceTypeId'],
      error: 'is required, unless `endsAt` is given',
      when: ({ value }) => typeof value === 'object' && value !== null,
    })
    .describe('An appointment from another system.'),
);

const events = z
  .boolean()
  .default(false)
  .describe('Whether to send webhook events for the items. By default, false.');

const items = <Item extends z.ZodType>(item: Item) => z.array(item).min(1).max(MAX_ITEMS);

export const importedItem = component('ImportedItem', 'The result of one item of an import.', {
  externalId: z
    .string()
    .nullable()
    .describe('The external ID of the item. Null if the item has no readable external ID.'),
  result: importResult,
  id: id().optional().describe('The appointment. Absent if the item was refused.'),
  error: errorCode.optional().describe('Why the item was refused. Absent if it was not refused.'),
  errors: z
    .array(fieldProblem)
    .optional()
    .describe(
      'The invalid fields of the item, for example `body.items.3.startsAt`. A response lists the first 100 in all.',
    ),
});

const example = {
  externalId: 'visit-2031',
  professionalId: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a11',
  patientName: 'Ana Martins',
  patientPhone: '+351912345678',
  patientExternalId: 'patient-381',
};

export const appointmentImportContracts = defineContracts('Appointments', null, {
  importAppointments: {
    operation: 'POST /v1/appointments/import',
    summary: 'Import appointments',
    description:
      'Imports past and future appointments from another system. Each item is accepted or refused separately. If its `externalId` ' +
      'already exists, that appointment is updated. Safe to repeat. Sends no events, unless `events` is true. ' +
      'Counts as one request for rate limits.',
    access: ['appointments:source'],
    shows: showsImported,
    body: {
      schema: z.strictObject({
        items: items(importItem).describe(
          '1 to 500 appointments, in any order, each with its own `externalId`.',
        ),
        events,
      }),
      readAs: z.strictObject({ items: items(z.unknown()), events }),
      maxBytes: MAX_BYTES,
      examples: {
        history: {
          items: [
            {
              ...example,
              serviceTypeId: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a12',
              startsAt: '2025-09-01T09:30:00+01:00',
              status: 'attended',
              checkedInAt: '2025-09-01T09:24:00+01:00',
            },
            {
              ...example,
              externalId: 'visit-2032',
              startsAt: '2025-10-06T11:00:00+01:00',
              endsAt: '2025-10-06T11:45:00+01:00',
              status: 'no_show',
            },
          ],
          events: false,
        },
      },
    },
    responses: oneAnswer(
      200,
      'The result of each item, in order.',
      component('ImportedItems', 'The result of an import.', {
        items: z.array(importedItem).describe('One result for each item of the request.'),
      }),
      {
        items: [
          {
            externalId: 'visit-2031',
            result: 'created',
            id: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a22',
          },
          {
            externalId: 'visit-2032',
            result: 'refused',
            error: 'slot_conflict',
            errors: [
              {
                path: 'body.items.1.startsAt',
                message: 'The professional already has an appointment at this time.',
              },
            ],
          },
        ],
      },
    ),
  },
});
