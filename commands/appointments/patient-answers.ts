import { lockAppointment } from '../../db/appointments/find-appointment.ts';
import { openRow, sealRow } from '../../db/encryption/field-seal.ts';
import { NpsResponseEntity, type StoredNpsResponse } from '../../db/entities/nps-response.entity.ts';
import { TriageFormEntity, type StoredTriageForm } from '../../db/entities/triage-form.entity.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import type { Opened } from '../../domain/encryption/sealed-value.ts';
import { fieldError } from '../../domain/service-error.ts';
import { refuseDifferent } from '../calls/already-recorded.ts';
import type { CommandContext } from '../command-context.ts';
import { recordEventOf } from '../webhooks/record-event.ts';

interface OfAppointment {
  tenantId: string;
  appointmentId: string;
}

type Answer<Stored> = Omit<Opened<Stored>, 'createdAt'>;

/** Records a patient's feedback, one per appointment, with `nps.submitted`. Errors: those of `holdAnswered`. */
export async function submitNps(
  em: EntityManager,
  input: Answer<StoredNpsResponse>,
  context: CommandContext,
) {
  const { tenantId, appointmentId, score, comment } = input;
  const locked = await holdAnswered(em, input);
  const stored = await em.findOne(NpsResponseEntity, { tenantId, appointmentId });
  if (stored) {
    const recorded = await openRow(em, 'npsResponse', stored);
    refuseDifferent('The feedback for this appointment', input, recorded);
    return { recorded, isNew: false };
  }
  const recorded = { ...input, createdAt: locked.now };
  await em.insert(NpsResponseEntity, await sealRow<StoredNpsResponse>(em, 'npsResponse', recorded));
  // Always a string, empty without a comment: docs/events.md#patients
  const data = { score, comment: comment ?? '', appointmentId };
  await recordEventOf(em, locked, { type: 'nps.submitted', data, tenantId, appointmentId }, context);
  return { recorded, isNew: true };
}

/** Records a patient's intake form, one per appointment, with `triage.submitted`. Errors: those of `holdAnswered`. */
export async function submitTriage(
  em: EntityManager,
  input: Answer<StoredTriageForm>,
  context: CommandContext,
) {
  const { tenantId, appointmentId, answers } = input;
  const locked = await holdAnswered(em, input);
  const stored = await em.findOne(TriageFormEntity, { tenantId, appointmentId });
  if (stored) {
    const recorded = await openRow(em, 'triageForm', stored);
    refuseDifferent('The intake form for this appointment', input, recorded);
    return { recorded, isNew: false };
  }
  const recorded = { ...input, createdAt: locked.now };
  await em.insert(TriageFormEntity, await sealRow<StoredTriageForm>(em, 'triageForm', recorded));
  const data = { appointmentId, answers };
  await recordEventOf(em, locked, { type: 'triage.submitted', data, tenantId, appointmentId }, context);
  return { recorded, isNew: true };
}

/**
 * Locks the appointment, so that a repeated request finds what the first request stored. Errors: `validation_failed`
 * (unknown appointment), `external_id_conflict` (a different answer is stored).
 */
async function holdAnswered(em: EntityManager, { tenantId, appointmentId }: OfAppointment) {
  const locked = await lockAppointment(em, tenantId, appointmentId);
  if (!locked) throw fieldError('body.appointmentId', 'The clinic has no appointment with this ID.');
  return locked;
}
