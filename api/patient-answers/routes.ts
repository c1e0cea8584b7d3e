import { z } from 'zod';
import { submitNps, submitTriage } from '../../commands/appointments/patient-answers.ts';
import { component, recordedOnce } from '../contract/answers.ts';
import { defineContracts } from '../contract/define-contracts.ts';
import { freeObject, id, instantText, orNull, text } from '../contract/fields.ts';
import { answer, implement } from '../contract/implement.ts';
import { presented } from '../../domain/presented.schema.ts';
import { showsPatientAnswer } from '../contract/shown-patients.ts';

const appointmentId = id().describe('The appointment that the patient rated.');
const score = z
  .int()
  .min(0)
  .max(10)
  .describe('From 0, not at all, to 10: would the patient recommend the clinic?');

const npsResponseSchema = component('NpsResponse', 'Patient feedback after an appointment.', {
  appointmentId,
  score,
  comment: z.string().nullable().describe('A comment, or null.'),
  createdAt: instantText().describe('When it was recorded.'),
});

const example = {
  appointmentId: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a20',
  score: 9,
  comment: 'Muito simpáticos.',
  createdAt: '2026-03-02T18:05:11.000Z',
};

const ANSWERS_LIMIT_BYTES = 32 * 1024;

const ofVisit = id().describe('The appointment of the form.');

const triageFormSchema = component('TriageForm', 'An intake form.', {
  appointmentId: ofVisit,
  answers: z.record(z.string(), z.unknown()).describe('The answers, by the form’s own keys.'),
  createdAt: instantText().describe('When it was recorded.'),
});

const answers = { main_complaint: 'Dor de dentes', since: '2 dias', severity: 7 };
const formExample = { appointmentId: example.appointmentId, answers, createdAt: '2026-03-01T20:11:45.000Z' };

const patientAnswerContracts = defineContracts('Patient answers', null, {
  submitNpsResponse: {
    operation: 'POST /v1/nps-responses',
    summary: 'Record patient feedback',
    description:
      'An appointment can have one feedback. Safe to repeat: an identical request returns 200; another score or comment returns 409. ' +
      'Sends `nps.submitted`.',
    access: ['calls:write'],
    shows: showsPatientAnswer,
    body: {
      schema: z.strictObject({
        appointmentId,
        score,
        comment: orNull(text({ max: 2000 }).nullable()).describe(
          'A comment, at most 2000 characters. Null for none.',
        ),
      }),
      examples: {
        score: { appointmentId: example.appointmentId, score: 9, comment: 'Muito simpáticos.' },
      },
    },
    responses: recordedOnce(npsResponseSchema, example, 'The response.', 'The response, already recorded.'),
    errors: ['external_id_conflict'],
  },
  submitTriageForm: {
    operation: 'POST /v1/triage-forms',
    summary: 'Record an intake form',
    description:
      'An appointment can have one form. Safe to repeat: an identical request returns 200; other answers return 409. ' +
      'Sends `triage.submitted`.',
    access: ['calls:write'],
    shows: showsPatientAnswer,
    body: {
      schema: z.strictObject({
        appointmentId: ofVisit,
        answers: freeObject(ANSWERS_LIMIT_BYTES).describe(
          'The answers, by the form’s own keys, for example `main_complaint`. At most 32 KiB of JSON.',
        ),
      }),
      examples: { form: { appointmentId: example.appointmentId, answers } },
    },
    responses: recordedOnce(triageFormSchema, formExample, 'The form.', 'The form, already recorded.'),
    errors: ['external_id_conflict'],
  },
});

export const patientAnswerRoutes = implement(patientAnswerContracts, () => ({
  submitNpsResponse: async ({ body, caller, context, write }) => {
    const response = { ...body, tenantId: caller.tenantId };
    const { recorded, isNew } = await write((em) => submitNps(em, response, context));
    return answer(isNew ? 201 : 200, presented(npsResponseSchema, recorded));
  },
  submitTriageForm: async ({ body, caller, context, write }) => {
    const form = { ...body, tenantId: caller.tenantId };
    const { recorded, isNew } = await write((em) => submitTriage(em, form, context));
    return answer(isNew ? 201 : 200, presented(triageFormSchema, recorded));
  },
}));
