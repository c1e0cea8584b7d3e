import { z } from 'zod';
import { appointmentStatus as status, errorCode, scope } from '../../domain/named-enums.schema.ts';
import { id, instantText } from './fields.ts';

/** docs/errors.md#the-body, with the facts that stand beside some codes: docs/errors.md#extras */
export const errorBodySchema = z
  .object({
    error: errorCode,
    message: z.string(),
    requestId: id(),
    errors: z
      .array(z.object({ path: z.string(), message: z.string() }))
      .optional()
      .meta({
        description: 'Every field that was wrong; `path` reads `body.startsAt`, `query.limit`, `path.id`.',
      }),
    alternatives: z
      .array(z.object({ professionalId: id(), startsAt: instantText(), endsAt: instantText() }))
      .max(3)
      .optional()
      .meta({ description: 'With `slot_conflict`: free slots near the one asked for.' }),
    from: status.optional().meta({ description: 'With `invalid_status_transition`: the status as it is.' }),
    to: status.optional().meta({ description: 'With `invalid_status_transition`: the status asked for.' }),
    allowed: z
      .array(status)
      .optional()
      .meta({ description: 'With `invalid_status_transition`: the statuses it could be given now.' }),
    rescheduledToId: id()
      .optional()
      .meta({ description: 'With `appointment_rescheduled`: its replacement.' }),
    requiredScopes: z
      .array(scope)
      .optional()
      .meta({ description: 'With `insufficient_scope`: what the key would need.' }),
    version: z.int().optional().meta({ description: 'With `version_mismatch`: the version as it is.' }),
  })
  .meta({ id: 'Error' });
