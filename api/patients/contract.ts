import { z } from 'zod';
import { patientRules } from '../../domain/patients/patient-rules.schema.ts';
import { appointmentSchema, appointmentExample } from '../appointments/contract.ts';
import {
  callEventExamples,
  callEventSchema,
  callExample,
  callSchema,
  evidence,
  evidenceExample,
} from '../calls/call-schemas.contract.ts';
import { component, extension, oneAnswer } from '../contract/answers.ts';
import { defineContracts } from '../contract/define-contracts.ts';
import { externalIdText, id, instantText, phoneNumber } from '../contract/fields.ts';
import { showsExport } from '../contract/shown-patients.ts';

const patientBody = z
  .strictObject({
    patientPhone: phoneNumber()
      .optional()
      .describe('The phone, E.164: everyone in the household, unless `patientName` is given.'),
    patientExternalId: externalIdText.optional().describe('The ID of the patient in your system.'),
    patientName: patientRules.patientName
      .optional()
      .describe('Only the patient with this name, of those with this phone.'),
  })
  .superRefine(({ patientPhone, patientExternalId, patientName }, context) => {
    const refuse = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message });
    if (patientPhone === undefined && patientExternalId === undefined)
      refuse('patientPhone', 'is missing: name the patient by patientPhone or by patientExternalId');
    if (patientPhone !== undefined && patientExternalId !== undefined)
      refuse('patientExternalId', 'is allowed only without patientPhone');
    if (patientName !== undefined && patientPhone === undefined)
      refuse('patientName', 'is allowed only with patientPhone');
  });

const named = {
  patientPhoneHash: z.string().nullable().describe('A hash of the phone, if the request named one.'),
  patientExternalId: z.string().nullable().describe('The ID in your system, if the request named it.'),
};

const visitSchema = extension(
  appointmentSchema,
  'ExportedAppointment',
  'An appointment with the patient’s answers.',
  {
    npsResponse: z
      .object({
        score: z.int().describe('From 0 to 10.'),
        comment: z.string().nullable().describe('A comment, or null.'),
      })
      .nullable()
      .describe('The feedback, or null.'),
    triageForm: z
      .object({ answers: z.record(z.string(), z.unknown()).describe('The answers, by the form’s own keys.') })
      .nullable()
      .describe('The intake form, or null.'),
    patientEmail: z
      .string()
      .nullable()
      .describe(
        'The email address that the patient gave when booking online, or null. No other response has it.',
      ),
  },
);

const wholeCallSchema = extension(callSchema, 'ExportedCall', 'A call with its transcript.', {
  metadata: z.record(z.string(), z.unknown()).describe('The telephony side’s own data.'),
  ...evidence,
  events: z.array(callEventSchema).describe('By `sequence`.'),
  recording: z
    .object({
      contentType: z.string().describe('The media type.'),
      sizeBytes: z.int().describe('Size of the audio in bytes.'),
    })
    .nullable()
    .describe('The recording, or null. Get the audio with `GET /v1/calls/{id}/recording`.'),
});

const accessSchema = component('PatientAccess', 'Someone saw or heard the patient.', {
  id: id().describe('The ID of the entry.'),
  at: instantText().describe('When.'),
  actor: z.string().describe('Who: `key:<id>`, `person:<id>`, `portal:<id>` or `operator`.'),
  actorName: z.string().nullable().describe('The name of the key or person, or null.'),
  action: z.string().describe('What was shown, for example `appointment.read`.'),
  tenantId: id().describe('The clinic.'),
  subjectId: id().nullable().describe('The appointment or call, or null.'),
  requestId: z.string().nullable().describe('The request, or null.'),
  details: z
    .object({
      ids: z.array(id()).describe('All appointments and calls.'),
      requestIds: z.array(z.string()).describe('All requests.'),
    })
    .describe('Everything that the entry names.'),
});

const exportSchema = component('PatientExport', 'Everything that is stored about a patient.', {
  ...named,
  appointments: z.array(visitSchema).describe('By start.'),
  calls: z
    .array(wholeCallSchema)
    .describe('By start. Calls from a phone that other patients use too are left out.'),
  recalls: z
    .array(
      z.object({
        lastVisitAt: instantText().describe('The last appointment that the patient attended.'),
        createdAt: instantText().describe('When the recall was sent.'),
      }),
    )
    .describe('Recalls that were sent, by `lastVisitAt`.'),
  events: z
    .array(z.record(z.string(), z.unknown()))
    .describe('Webhook events, as they were sent, with `patientUrl` null.'),
  seenBy: z.array(accessSchema).describe('Who saw or heard the patient, newest first.'),
});

const count = (what: string) => z.int().min(0).describe(`The number of ${what}.`);

const erasureSchema = component('PatientErasure', 'What was erased, and what stays.', {
  erased: z
    .object({
      appointments: count('appointments'),
      calls: count('calls'),
      callsKept: count('calls that stay, because other patients use the same phone'),
      recordings: count('recordings. The audio is deleted within two minutes'),
      events: count('webhook events'),
      npsResponses: count('comments in patient feedback'),
      triageForms: count('intake forms'),
      recalls: count('recalls'),
      keptAnswers: count('stored responses for an `Idempotency-Key`'),
    })
    .describe('How much was erased.'),
  kept: z
    .array(
      z.object({
        what: z.string().describe('What stays, for example `appointments` or `accessLog`.'),
        why: z.string().describe('What exactly stays, and why.'),
      }),
    )
    .describe('What stays, and why.'),
});

const byPhone = { patientPhone: '+351912345678', patientName: 'Ana Martins' };
const byExternalId = { patientExternalId: 'patient-381' };
const call = { ...callExample, ...evidenceExample, metadata: {}, events: callEventExamples, recording: null };
const visit = {
  ...appointmentExample,
  npsResponse: { score: 9, comment: null },
  triageForm: null,
  patientEmail: null,
};

export const patientContracts = defineContracts('Patients', null, {
  exportPatient: {
    operation: 'POST /v1/patients/export',
    summary: 'Export everything stored about a patient',
    description:
      'For a patient who asks to see their data. Name the patient by phone, alone or with the name, or by your ID. ' +
      'The activity log records the export, and the response is not stored.',
    access: ['patients:read'],
    isQuery: true,
    shows: showsExport,
    body: { schema: patientBody, examples: { byPhone, byExternalId } },
    responses: oneAnswer(200, 'The data.', exportSchema, {
      patientPhoneHash: null,
      patientExternalId: 'patient-381',
      appointments: [visit],
      calls: [call],
      recalls: [],
      events: [],
      seenBy: [],
    }),
    errors: ['not_found'],
  },
  erasePatient: {
    operation: 'POST /v1/patients/erase',
    summary: 'Erase a patient',
    description:
      'For a patient who asks to be forgotten. It cannot be undone. Times, statuses and counts stay; `kept` says why. ' +
      'Sends `patient.erased`, so that connected systems erase their copies.',
    access: ['patients:erase'],
    body: { schema: patientBody, examples: { byExternalId } },
    responses: oneAnswer(200, 'The patient is erased.', erasureSchema, {
      erased: {
        appointments: 3,
        calls: 1,
        callsKept: 0,
        recordings: 1,
        events: 9,
        npsResponses: 1,
        triageForms: 0,
        recalls: 0,
        keptAnswers: 2,
      },
      kept: [{ what: 'backups', why: 'They contain the data until they expire.' }],
    }),
    errors: ['not_found'],
  },
});
