import { lockAppointment } from '../../db/appointments/appointment-rows.ts';
import type { NpsResponseRow } from '../../db/entities/nps-response.entity.ts';
import { findNpsResponse, insertNpsResponse } from '../../db/appointments/nps-response-rows.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { fieldError, type ServiceError } from '../../domain/service-error.ts';
import { differingFields, recordedDifferently } from '../calls/already-recorded.ts';
import type { CommandContext } from '../command-context.ts';
import { recordEvent } from '../webhooks/record-event.ts';
import type { Recorded } from '../calls/start-call.ts';

export type SubmitNps = Pick<NpsResponseRow, 'tenantId' | 'appointmentId' | 'score' | 'comment'>;

/**
 * Records a patient's answer after a visit, with `nps.submitted`; one for each appointment.
 * Errors: `validation_failed` (unknown appointment), `external_id_conflict` (answered otherwise).
 */
export async function submitNps(
  em: EntityManager,
  input: SubmitNps,
  context: CommandContext,
): Promise<Recorded<NpsResponseRow>> {
  const { tenantId, appointmentId, score, comment } = input;
  const locked = await lockAppointment(em, tenantId, appointmentId);
  if (!locked) throw unknownAppointment();
  const response = { ...input, createdAt: context.now };
  const isNew = await insertNpsResponse(em, response);
  if (!isNew) return { recorded: await findSame(em, input), isNew };
  await recordEvent(
    em,
    {
      tenant: { id: tenantId, name: locked.tenantName },
      type: 'nps.submitted',
      // A string always, so no comment is an empty one: docs/events.md#patients
      data: { score, comment: comment ?? '', appointmentId },
      appointmentId,
    },
    context,
  );
  return { recorded: response, isNew };
}

async function findSame(em: EntityManager, { tenantId, ...wanted }: SubmitNps): Promise<NpsResponseRow> {
  const stored = await findNpsResponse(em, tenantId, wanted.appointmentId);
  if (!stored) throw new Error('a stored response was gone when it was read');
  const different = differingFields(wanted, stored);
  if (different.length === 0) return stored;
  throw recordedDifferently(
    'The response for this appointment',
    different.map((name) => `body.${name}`),
  );
}

/** 422: the id stands in the body. */
export function unknownAppointment(): ServiceError {
  return fieldError('body.appointmentId', 'The clinic has no appointment with this id.');
}
