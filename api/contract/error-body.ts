import { z } from 'zod';
import { appointmentStatus as status, errorCode, scope } from '../../domain/named-enums.schema.ts';
import { alternativeSchema } from '../availability/free-slot.contract.ts';
import { component, id } from './fields.ts';

export const fieldProblem = component('FieldProblem', 'A field of the request that was wrong.', {
  path: z.string().describe('Where it stood: `body.startsAt`, `query.limit`, `path.id`.'),
  message: z.string().describe('What it has to be, in English.'),
});

/** docs/errors.md#the-body, with the facts that stand beside some codes: docs/errors.md#extras */
export const errorBodySchema = component('Error', 'A refusal: what an answer from 400 on says.', {
  error: errorCode,
  message: z.string().describe('What was wrong, in English, for people; its words may change.'),
  requestId: id().describe('Tell us this when you ask about it; also in `X-Request-Id`.'),
  errors: z
    .array(fieldProblem)
    .optional()
    .describe('With `validation_failed` and other codes about fields: every one that was wrong, up to 100.'),
  alternatives: z
    .array(alternativeSchema)
    .max(3)
    .optional()
    .meta({ description: 'With `slot_conflict` and `outside_hours`: free slots near the one asked for.' }),
  from: status.optional().meta({ description: 'With `invalid_status_transition`: the status as it is.' }),
  to: status.optional().meta({ description: 'With `invalid_status_transition`: the status asked for.' }),
  allowed: z
    .array(status)
    .optional()
    .meta({ description: 'With `invalid_status_transition`: the statuses it could be given now.' }),
  rescheduledToId: id().optional().meta({ description: 'With `appointment_rescheduled`: its replacement.' }),
  appointmentId: id()
    .optional()
    .meta({ description: 'With `already_booked`: the appointment that is there.' }),
  appointment: z.record(z.string(), z.unknown()).optional().meta({
    description:
      'With `already_booked`, for keys with `appointments:read`: that appointment, as `GET /v1/appointments/{id}` shows it.',
  }),
  requiredScopes: z
    .array(scope)
    .optional()
    .meta({ description: 'With `insufficient_scope`: what the key would need.' }),
  endpointId: id().optional().meta({ description: 'With `endpoint_exists`: the one that is there.' }),
  version: z.int().optional().meta({ description: 'With `version_mismatch`: the version as it is.' }),
});
