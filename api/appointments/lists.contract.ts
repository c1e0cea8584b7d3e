import { z } from 'zod';
import { cursorByTime, cursorOf, cursorText } from '../../domain/cursor.schema.ts';
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
} from '../contract/fields.ts';
import { appointmentExample, appointmentSchema, status } from './contract.ts';

export const startCursor = cursorByTime('appointments', 'startsAt');
export const searchCursor = cursorByTime('appointments of a patient', 'startsAt');

/** By (`updatedAt`, `id`), with the `syncedUntil` of the first page, which holds for all of them. */
export const updateCursor = cursorOf('updated appointments', z.tuple([epochMs(), z.guid(), epochMs()]));

const limit = limitParameter({ maximum: 1000, default: 1000 });
const from = 'Earliest `startsAt`, inclusive.';
const to = 'Latest `startsAt`, exclusive.';
const ofStatus = 'In this status only.';

/** Which kind of cursor it must be depends on `updatedSince`. */
const listQuery = z.strictObject({
  from: instantParameter().optional().meta({ description: from }),
  to: instantParameter().optional().meta({ description: to }),
  professionalId: id().optional().describe('Of this professional only.'),
  status: status.optional().describe(ofStatus),
  externalId: externalIdText.optional().describe('What your system calls it.'),
  patientExternalId: externalIdText.optional().describe('What your system calls the patient.'),
  updatedSince: instantParameter().optional().meta({
    description:
      'Earliest `updatedAt`, inclusive; sorts by (`updatedAt`, `id`). Pass the last `syncedUntil`.',
  }),
  limit,
  cursor: cursorText().optional(),
});

const searchBody = z
  .strictObject({
    patientPhone: phoneNumber()
      .optional()
      .describe('E.164, such as `+351912345678`. Either this or `patientExternalId`.'),
    patientExternalId: externalIdText.optional().describe('What your system calls the patient.'),
    from: instant().optional().meta({ description: from }),
    to: instant().optional().meta({ description: to }),
    status: status.optional().describe(ofStatus),
    limit: z
      .int()
      .min(1)
      .max(1000)
      .default(1000)
      .describe('Items in a page at most, from 1 to 1000; 1000 unless told. A page may hold fewer.'),
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
      .describe('With `updatedSince` only: pass it as `updatedSince` next time, to miss no change.'),
  },
);

const example = onlyPage(appointmentExample);

export const appointmentListContracts = defineContracts('Appointments', null, {
  listAppointments: {
    operation: 'GET /v1/appointments',
    summary: 'The clinic’s appointments, by start, or those changed since a time',
    description:
      'To keep a copy in step, pass the `syncedUntil` of the last answer as `updatedSince`: no later commit can fall behind ' +
      'it. An appointment may come twice; take the one with the higher `version`.',
    access: ['appointments:read'],
    shows: showsAppointments,
    query: listQuery,
    responses: oneAnswer(200, 'A page of appointments.', syncPage, example),
  },
  searchAppointments: {
    operation: 'POST /v1/appointments/search',
    summary: 'The appointments of one patient, by phone number or by your number of the patient',
    description:
      'A phone number never stands in an address, so this question is a POST. By start, in pages: pass `nextCursor` as `cursor` while `hasMore`.',
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
