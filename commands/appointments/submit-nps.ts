import { lockAppointment } from '../../db/appointments/lock-appointment.ts';
import { openRow, sealRow } from '../../db/encryption/field-seal.ts';
import {
  NpsResponseEntity,
  type NpsResponseRow,
  type StoredNpsResponse,
} from '../../db/entities/nps-response.entity.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { SEALED_FIELDS } from '../../domain/encryption/sealed-fields.ts';
import { fieldError, type ServiceError } from '../../domain/service-error.ts';
import { differingFields, recordedDifferently } from '../calls/already-recorded.ts';
import type { CommandContext } from '../command-context.ts';
import { recordEvent } from '../webhooks/record-event.ts';
import type { Recorded } from '../calls/start-call.ts';

export type SubmitNps = Pick<NpsResponseRow, 'tenantId' | 'appointmentId' | 'score' | 'comment'>;

/**
 * Records a patient's answer after a visit, with `nps.submitted`; one for each appointment, which is held, so that a twin
 * finds what the first one wrote.
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
  const stored = await em.findOne(NpsResponseEntity, { tenantId, appointmentId });
  if (stored) {
    const known = await openRow(em, SEALED_FIELDS.npsResponse, stored);
    return { recorded: sameResponse(known, input), isNew: false };
  }
  const response = { ...input, createdAt: locked.now };
  em.create(NpsResponseEntity, await sealRow<StoredNpsResponse>(em, SEALED_FIELDS.npsResponse, response));
  await em.flush();
  await recordEvent(
    em,
    {
      tenant: { id: tenantId, name: locked.tenantName },
      type: 'nps.submitted',
      // A string always, so no comment is an empty one: docs/events.md#patients
      data: { score, comment: comment ?? '', appointmentId },
      appointmentId,
    },
    { ...context, now: locked.now },
  );
  return { recorded: response, isNew: true };
}

function sameResponse(stored: NpsResponseRow, { score, comment }: SubmitNps): NpsResponseRow {
  const different = differingFields({ score, comment }, stored);
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
