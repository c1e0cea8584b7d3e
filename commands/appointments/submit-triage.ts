import { lockAppointment } from '../../db/appointments/appointment-rows.ts';
import type { TriageFormRow } from '../../db/entities/triage-form.entity.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { findTriageForm, insertTriageForm } from '../../db/appointments/triage-form-rows.ts';
import { differingFields, recordedDifferently } from '../calls/already-recorded.ts';
import type { CommandContext } from '../command-context.ts';
import { recordEvent } from '../webhooks/record-event.ts';
import type { Recorded } from '../calls/start-call.ts';
import { unknownAppointment } from './submit-nps.ts';

export type SubmitTriage = Pick<TriageFormRow, 'tenantId' | 'appointmentId' | 'answers'>;

/**
 * Records what a patient answered before a visit, with `triage.submitted`; one form for each appointment.
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
  const form = { ...input, createdAt: context.now };
  const isNew = await insertTriageForm(em, form);
  if (!isNew) return { recorded: await findSame(em, input), isNew };
  await recordEvent(
    em,
    {
      tenant: { id: tenantId, name: locked.tenantName },
      type: 'triage.submitted',
      data: { appointmentId, answers },
      appointmentId,
    },
    context,
  );
  return { recorded: form, isNew };
}

async function findSame(
  em: EntityManager,
  { tenantId, appointmentId, answers }: SubmitTriage,
): Promise<TriageFormRow> {
  const stored = await findTriageForm(em, tenantId, appointmentId);
  if (!stored) throw new Error('a stored form was gone when it was read');
  if (differingFields({ answers }, stored).length === 0) return stored;
  throw recordedDifferently('The form for this appointment', ['body.answers']);
}
