import { z } from 'zod';
import { cursorByTime, cursorOf, cursorText } from '../../domain/lists/cursor.schema.ts';
import { extension, oneAnswer, onlyPage, pageOf } from '../contract/answers.ts';
import { defineContracts } from '../contract/define-contracts.ts';
import { showsAppointments } from '../contract/shown-patients.ts';
import {
  epochMs,
  externalIdText,
  id,
  instant,
  instantParameter,
  instantText,
  limitParameter,
  phoneNumber,
  exactlyOneOf,
  trueOrFalse,
} from '../contract/fields.ts';
import { appointmentExample, appointmentSchema, status } from './contract.ts';

export const startCursor = cursorByTime('appointments', 'startsAt');
export const searchCursor = cursorByTime('appointments of a patient', 'startsAt');

/** A cursor of (`updatedAt`, `id`), together with the `syncedUntil` of the first page, which all pages return. */
export const updateCursor = cursorOf('updated appointments', z.tuple([epochMs(), z.guid(), epochMs()]));

const limit = limitParameter({ maximum: 1000, default: 1000 });
const from = 'Earliest `startsAt`, inclusive.';
const to = 'Latest `startsAt`, exclusive.';
const ofStatus = 'Only appointments with this status.';

/** Which kind of cursor is valid depends on `updatedSince`. */
const listQuery = z.strictObject({
  from: instantParameter().optional().meta({ description: from }),
  to: instantParameter().optional().meta({ description: to }),
  professionalId: id().optional().describe('Only appointments with this professional.'),
  status: status.optional().describe(ofStatus),
  externalId: externalIdText.optional().describe('The ID in your system.'),
  patientExternalId: externalIdText.optional().describe('The ID of the patient in your system.'),
  acknowledged: trueOrFalse
    .transform((text) => text === 'true')
    .optional()
    .describe(
      '`true`: only those whose latest version your system has acknowledged as written. `false`: the others.',
    ),
  updatedSince: instantParameter().optional().meta({
    description:
      'Earliest `updatedAt`, inclusive. Sorts by `updatedAt`, then `id`. Pass the last `syncedUntil`.',
  }),
  limit,
  cursor: cursorText().optional(),
});

const searchBody = z
  .strictObject({
    patientPhone: phoneNumber()
      .optional()
      .describe('E.164, for example `+351912345678`. Use this or `patientExternalId`.'),
    patientExternalId: externalIdText.optional().describe('The ID of the patient in your system.'),
    from: instant().optional().meta({ description: from }),
    to: instant().optional().meta({ description: to }),
    status: status.optional().describe(ofStatus),
    limit: z
      .int()
      .min(1)
      .max(1000)
      .default(1000)
      .describe(
        'Maximum number of items per page, 1 to 1000. By default, 1000. A page can have fewer items.',
      ),
    cursor: searchCursor.parameter.optional(),
  })
  .superRefine(exactlyOneOf('patientPhone', 'patientExternalId'));

const appointmentPage = pageOf(appointmentSchema, 'AppointmentPage');
const syncPage = extension(
  appointmentPage,
  'AppointmentSyncPage',
  'A page of appointments, by start or by last change.',
  {
    syncedUntil: instantText()
      .optional()
      .describe(
        'Only in a response to `updatedSince`. Pass this value as `updatedSince` next time, so that you miss no change.',
      ),
  },
);

const example = onlyPage(appointmentExample);

export const appointmentListContracts = defineContracts('Appointments', null, {
  listAppointments: {
    operation: 'GET /v1/appointments',
    summary: 'List appointments',
    description:
      'Ordered by start, or with `updatedSince` by last change. To keep a copy in sync, pass the `syncedUntil` of the last response as ' +
      '`updatedSince`. An appointment can appear twice; use the copy with the higher `version`.',
    access: ['appointments:read'],
    shows: showsAppointments,
    query: listQuery,
    responses: oneAnswer(200, 'A page of appointments.', syncPage, example),
  },
  searchAppointments: {
    operation: 'POST /v1/appointments/search',
    summary: 'Find a patient’s appointments',
    description:
      'Finds a patient’s appointments by phone number or external ID, ordered by start. This is a POST because a phone number must not be in a URL. While `hasMore` is true, pass `nextCursor` as `cursor`.',
    access: ['appointments:read'],
    isQuery: true,
    shows: showsAppointments,
    body: {
      schema: searchBody,
      examples: {
        patient: { patientPhone: '+351912345678', from: '2026-03-01T00:00:00+00:00', status: 'confirmed' },
        patientOfYours: { patientExternalId: 'patient-381' },
      },
    },
    responses: oneAnswer(200, 'A page of the patient’s appointments.', appointmentPage, example),
  },
});
