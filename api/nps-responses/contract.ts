import { z } from 'zod';
import { defineContracts } from '../contract/define-contracts.ts';
import { id, instantText, text } from '../contract/fields.ts';
import { recordedOnce } from '../contract/usual-answers.ts';

const appointmentId = id().describe('The visit that was rated.');
const score = z
  .int()
  .min(0)
  .max(10)
  .describe('From 0, not at all, to 10: would the patient recommend the clinic?');

const npsResponseSchema = z
  .object({
    appointmentId,
    score,
    comment: z.string().nullable().describe('In the patient’s own words, or null.'),
    createdAt: instantText().describe('When it was recorded.'),
  })
  .meta({ id: 'NpsResponse', description: 'What a patient thought of a visit.' });

const example = {
  appointmentId: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a20',
  score: 9,
  comment: 'Muito simpáticos.',
  createdAt: '2026-03-02T18:05:11.000Z',
};

export const npsResponseContracts = defineContracts('Patient answers', {
  submitNpsResponse: {
    method: 'POST',
    path: '/v1/nps-responses',
    summary: 'Record a patient’s score after a visit',
    description:
      'One for each appointment. Safe to repeat: an identical request answers 200, another score or comment 409. ' +
      'Emits `nps.submitted`.',
    access: ['calls:write'],
    request: {
      body: {
        schema: z.strictObject({
          appointmentId,
          score,
          comment: text({ max: 2000 })
            .nullish()
            .describe('In the patient’s own words, at most 2000 characters; null for none.'),
        }),
        examples: {
          score: { appointmentId: example.appointmentId, score: 9, comment: 'Muito simpáticos.' },
        },
      },
    },
    responses: recordedOnce(npsResponseSchema, example, 'The response.', 'The response, recorded before.'),
    errors: ['external_id_conflict'],
  },
});
