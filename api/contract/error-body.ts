import { z } from 'zod';
import { appointmentStatus as status, errorCode, scope } from '../../domain/named-enums.schema.ts';
import { alternativeSchema } from '../availability/free-slot.contract.ts';
import { id } from './fields.ts';
import { component } from './answers.ts';

export const fieldProblem = component('FieldProblem', 'An invalid field of the request.', {
  path: z.string().describe('The field, for example `body.startsAt`, `query.limit`, `path.id`.'),
  message: z.string().describe('What is required, in English.'),
});

/** docs/errors.md#the-body; extra fields of some codes: docs/errors.md#extras */
export const errorBodySchema = component('Error', 'An error: the body of every 4xx and 5xx response.', {
  error: errorCode,
  message: z
    .string()
    .describe('What went wrong and what to do, in English, for people. The text can change.'),
  requestId: id().describe('Give it to support when you ask about this request. Also in `X-Request-Id`.'),
  errors: fact(
    '`validation_failed` and other codes about fields',
    z.array(fieldProblem),
    'the invalid fields, at most 100.',
  ),
  alternatives: fact(
    '`slot_conflict` and `outside_hours`',
    z.array(alternativeSchema).max(3),
    'free slots near the requested time.',
  ),
  from: fact('`invalid_status_transition`', status, 'the current status.'),
  to: fact('`invalid_status_transition`', status, 'the requested status.'),
  allowed: fact('`invalid_status_transition`', z.array(status), 'the statuses that are possible now.'),
  rescheduledToId: fact('`appointment_rescheduled`', id(), 'its replacement.'),
  appointmentId: fact('`already_booked`', id(), 'the existing appointment.'),
  appointment: fact(
    '`already_booked`, for keys with `appointments:read`',
    z.record(z.string(), z.unknown()),
    'that appointment, as `GET /v1/appointments/{id}` shows it.',
  ),
  requiredScopes: fact('`insufficient_scope`', z.array(scope), 'the scopes that are missing.'),
  endpointId: fact('`endpoint_exists`', id(), 'the existing endpoint.'),
  version: fact('`version_mismatch`', z.int(), 'the current version.'),
});

/** An additional field of some errors. @param codes the error codes that have this field */
function fact<Schema extends z.ZodType>(codes: string, schema: Schema, meaning: string) {
  return schema.optional().meta({ description: `With ${codes}: ${meaning}` });
}
