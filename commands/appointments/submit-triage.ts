import { lockAppointment } from '../../db/appointments/lock-appointment.ts';
import { openRow, sealRow } from '../../db/encryption/field-seal.ts';
import {
  TriageFormEntity,
  type StoredTriageForm,
  type TriageFormRow,
} from '../../db/entities/triage-form.entity.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { SEALED_FIELDS } from '../../domain/encryption/sealed-fields.ts';
import { differingFields, recordedDifferently } from '../calls/already-recorded.ts';
import type { CommandContext } from '../command-context.ts';
import { recordEvent } from '../webhooks/record-event.ts';
import type { Recorded } from '../calls/start-call.ts';
import { unknownAppointment } from './submit-nps.ts';

export type SubmitTriage = Pick<TriageFormRow, 'tenantId' | 'appointmentId' | 'answers'>;

/**
 * Records what a patient answered before a visit, with `triage.submitted`; one form for each appointment, which is held, so
 * that a twin finds what the first one wrote.
 * Errors: `validation_failed` (unknown appointment), `external_id_conflict` (answered otherwise).
 */
export async function submitTriage(
  em: EntityManager,
  input: SubmitTriage,
  context: CommandContext,
): Promise<Recorded<TriageFormRow>> {
  const { tenantId, appointmentId, answers } = input;
  const locked = await lockAppointment(em, tenantId, appointmentId);
  if (!locked) throw unknownAppointment();
  const stored = await em.findOne(TriageFormEntity, { tenantId, appointmentId });
  if (stored) {
    const known = await openRow(em, SEALED_FIELDS.triageForm, stored);
    return { recorded: sameForm(known, input), isNew: false };
  }
  const form = { ...input, createdAt: locked.now };
  em.create(TriageFormEntity, await sealRow<StoredTriageForm>(em, SEALED_FIELDS.triageForm, form));
  await em.flush();
  await recordEvent(
    em,
    {
      tenant: { id: tenantId, name: locked.tenantName },
      type: 'triage.submitted',
      data: { appointmentId, answers },
      appointmentId,
    },
    { ...context, now: locked.now },
  );
  return { recorded: form, isNew: true };
}

function sameForm(stored: TriageFormRow, { answers }: SubmitTriage): TriageFormRow {
  if (differingFields({ answers }, stored).length === 0) return stored;
  throw recordedDifferently('The form for this appointment', ['body.answers']);
}
