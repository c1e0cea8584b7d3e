import { z } from 'zod';
import { appointmentStatus as status, errorCode, scope } from '../../domain/named-enums.schema.ts';
import { alternativeSchema } from '../availability/free-slot.contract.ts';
import { id } from './fields.ts';
import { component } from './answers.ts';

export const fieldProblem = component('FieldProblem', 'A field of the request that was wrong.', {
  path: z.string().describe('Where it stood: `body.startsAt`, `query.limit`, `path.id`.'),
  message: z.string().describe('What it has to be, in English.'),
});

/** docs/errors.md#the-body, with the facts that stand beside some codes: docs/errors.md#extras */
export const errorBodySchema = component('Error', 'A refusal: what an answer from 400 on says.', {
  error: errorCode,
  message: z.string().describe('What was wrong, in English, for people; its words may change.'),
  requestId: id().describe('Tell us this when you ask about it; also in `X-Request-Id`.'),
  errors: fact(
    '`validation_failed` and other codes about fields',
    z.array(fieldProblem),
    'every one that was wrong, up to 100.',
  ),
  alternatives: fact(
    '`slot_conflict` and `outside_hours`',
    z.array(alternativeSchema).max(3),
    'free slots near the one asked for.',
  ),
  from: fact('`invalid_status_transition`', status, 'the status as it is.'),
  to: fact('`invalid_status_transition`', status, 'the status asked for.'),
  allowed: fact('`invalid_status_transition`', z.array(status), 'the statuses it could be given now.'),
  rescheduledToId: fact('`appointment_rescheduled`', id(), 'its replacement.'),
  appointmentId: fact('`already_booked`', id(), 'the appointment that is there.'),
  appointment: fact(
    '`already_booked`, for keys with `appointments:read`',
    z.record(z.string(), z.unknown()),
    'that appointment, as `GET /v1/appointments/{id}` shows it.',
  ),
  requiredScopes: fact('`insufficient_scope`', z.array(scope), 'what the key would need.'),
  endpointId: fact('`endpoint_exists`', id(), 'the one that is there.'),
  version: fact('`version_mismatch`', z.int(), 'the version as it is.'),
});

/** @param codes beside which it stands */
function fact<Schema extends z.ZodType>(codes: string, schema: Schema, meaning: string) {
  return schema.optional().meta({ description: `With ${codes}: ${meaning}` });
}
