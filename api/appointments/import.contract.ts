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

const MOST_ITEMS = 500;
const LARGEST_BYTES = 4 * 1024 * 1024;

const { professionalId, patientName, patientPhone, startsAt, endsAt, ...more } = writtenFields;
const optional = z.object(more).partial();

/** One visit. docs/import.md#an-item */
export const importItem = nullAsAbsent(
  z
    .strictObject({
      externalId: externalIdText.describe(
        'What your system calls the visit, 1 to 128 characters: by it a repeat is recognised.',
      ),
      professionalId: professionalId.describe('Who saw, or is to see, the patient; also one who has left.'),
      serviceTypeId: id()
        .nullish()
        .describe('What for; also a service that is offered no longer. Required unless `endsAt` is given.'),
      startsAt: startsAt.describe('When it begins or began, with an offset; before the year 2200.'),
      endsAt: endsAt.optional(),
      patientName,
      patientPhone,
      status: importedStatus
        .optional()
        .describe(
          'How it went. Unless told: `confirmed`, which must lie ahead, or what the appointment that is there has.',
        ),
      checkedInAt: instant()
        .optional()
        .meta({ description: 'With `status: attended`: when the patient was checked in, if you know it.' }),
      reason: cancellationReason.optional().meta({
        description: 'With `status: cancelled`: who called it off; `clinic_cancelled` unless told.',
      }),
      source: z.literal('sync_external').optional().describe('`sync_external`, which it is anyhow.'),
      ...optional.shape,
    })
    .refine(({ serviceTypeId, endsAt: end }) => Boolean(serviceTypeId) || end !== undefined, {
      path: ['serviceTypeId'],
      error: 'is required, unless `endsAt` is given',
      when: ({ value }) => typeof value === 'object' && value !== null,
    })
    .describe('A visit as another system knows it.'),
);

const events = z
  .boolean()
  .default(false)
  .describe('Whether receivers of webhooks are told of each; false unless told.');

const items = <Item extends z.ZodType>(item: Item) => z.array(item).min(1).max(MOST_ITEMS);

export const importedItem = component('ImportedItem', 'What became of an item of an import.', {
  externalId: z.string().nullable().describe('As the item says; null where it says none that can be read.'),
  result: importResult,
  id: id().optional().describe('The appointment, unless the item was refused.'),
  error: errorCode.optional().describe('Why it was refused.'),
  errors: z
    .array(fieldProblem)
    .optional()
    .describe(
      'Which fields of the item were wrong, by their place in the request: `body.items.3.startsAt`. One answer names the first 100 in all.',
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
    summary: 'Bring in appointments of another system, past ones too',
    description:
      'Each item is taken whole or refused, whatever becomes of the others; the answer says which. One whose `externalId` is ' +
      'there already is made the same, and left alone when it is. Safe to repeat. Nobody is told, unless `events` is true. ' +
      'Counts as one request.',
    access: ['appointments:source'],
    shows: showsImported,
    body: {
      schema: z.strictObject({
        items: items(importItem).describe('1 to 500 visits, in any order; no two of one `externalId`.'),
        events,
      }),
      readAs: z.strictObject({ items: items(z.unknown()), events }),
      maxBytes: LARGEST_BYTES,
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
      'What became of each item, in their order.',
      component('ImportedItems', 'What became of an import.', {
        items: z.array(importedItem).describe('One for each item of the request.'),
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
