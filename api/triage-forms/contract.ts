import { z } from 'zod';
import { defineContracts } from '../contract/define-contracts.ts';
import { freeObject, id, instantText } from '../contract/fields.ts';
import { recordedOnce } from '../contract/usual-answers.ts';

const ANSWERS_LIMIT_BYTES = 32 * 1024;

const ofVisit = id().describe('The visit that it is about.');

const triageFormSchema = z
  .object({
    appointmentId: ofVisit,
    answers: z.record(z.string(), z.unknown()).describe('By the form’s own keys.'),
    createdAt: instantText().describe('When it was recorded.'),
  })
  .meta({ id: 'TriageForm', description: 'What a patient answered before a visit.' });

const answers = { main_complaint: 'Dor de dentes', since: '2 dias', severity: 7 };
const appointmentId = '0195571c-5a60-7a3e-9f00-2f5d1c9b7a20';
const example = { appointmentId, answers, createdAt: '2026-03-01T20:11:45.000Z' };

export const triageFormContracts = defineContracts('Patient answers', {
  submitTriageForm: {
    method: 'POST',
    path: '/v1/triage-forms',
    summary: 'Record what a patient answered before a visit',
    description:
      'One for each appointment. Safe to repeat: an identical request answers 200, other answers 409. ' +
      'Emits `triage.submitted`.',
    access: ['calls:write'],
    request: {
      body: {
        schema: z.strictObject({
          appointmentId: ofVisit,
          answers: freeObject(ANSWERS_LIMIT_BYTES).describe(
            'By the form’s own keys, such as `main_complaint`; at most 32 KiB of JSON.',
          ),
        }),
        examples: { form: { appointmentId, answers } },
      },
    },
    responses: recordedOnce(triageFormSchema, example, 'The form.', 'The form, recorded before.'),
    errors: ['external_id_conflict'],
  },
});
