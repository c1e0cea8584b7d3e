import { z } from 'zod';
import { acknowledgementState } from '../../domain/named-enums.schema.ts';
import { oneAnswer } from '../contract/answers.ts';
import { defineContracts } from '../contract/define-contracts.ts';
import { orNull, text } from '../contract/fields.ts';
import { showsRefusalReason } from '../contract/shown-patients.ts';
import { acknowledgementSchema } from './contract.ts';

const acknowledgeBody = z
  .strictObject({
    version: z
      .int()
      .min(1)
      .max(2_147_483_647)
      .describe('The version of the appointment that your system has read.'),
    state: acknowledgementState,
    reason: orNull(text({ max: 500 }).nullable()).describe(
      'Why your system refused it, at most 500 characters. Only with `refused`. Null for none.',
    ),
  })
  .refine(({ state, reason }) => state === 'refused' || reason === null, {
    path: ['reason'],
    error: 'is allowed only with `state: refused`',
  });

export const acknowledgementContracts = defineContracts('Appointments', 'appointment', {
  acknowledgeAppointment: {
    operation: 'PUT /v1/appointments/{id}/acknowledgement',
    summary: 'Acknowledge a version of an appointment',
    description:
      'Says whether your system has stored a version. Does not change the appointment and sends no event, except ' +
      '`appointment.unacknowledged` when the latest version is refused and the clinic has set `acknowledgeWithinMinutes`. ' +
      'An older version than the acknowledged one changes nothing. For one version, the latest answer counts. ' +
      'For a key without `appointments:read`, the response contains only the reason that the request sent.',
    access: ['appointments:write'],
    shows: showsRefusalReason,
    body: {
      schema: acknowledgeBody,
      examples: {
        written: { version: 1, state: 'written' },
        refused: { version: 1, state: 'refused', reason: 'Patient 381 is blocked' },
      },
    },
    responses: oneAnswer(200, 'The stored acknowledgement.', acknowledgementSchema, {
      version: 1,
      state: 'written',
      reason: null,
      at: '2026-02-20T16:45:13.020Z',
    }),
  },
});
