import type { EntityName, FilterQuery } from '@mikro-orm/postgresql';
import { lockAppointment } from '../../db/appointments/find-appointment.ts';
import { openRow, sealRow } from '../../db/encryption/field-seal.ts';
import { NpsResponseEntity, type StoredNpsResponse } from '../../db/entities/nps-response.entity.ts';
import { TriageFormEntity, type StoredTriageForm } from '../../db/entities/triage-form.entity.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import type { SealedKind } from '../../domain/encryption/sealed-fields.ts';
import type { Opened } from '../../domain/encryption/sealed-value.ts';
import { fieldError } from '../../domain/service-error.ts';
import { refuseDifferent, type Recorded } from '../calls/already-recorded.ts';
import type { CommandContext } from '../command-context.ts';
import { recordEventOf, type NewEvent } from '../webhooks/record-event.ts';

interface OfAppointment {
  tenantId: string;
  appointmentId: string;
}

type Answer<Stored> = Omit<Opened<Stored>, 'createdAt'> & OfAppointment;

/** Records a patient's answer after a visit, with `nps.submitted`. Errors: those of `submitAnswer`. */
export function submitNps(em: EntityManager, input: Answer<StoredNpsResponse>, context: CommandContext) {
  const { appointmentId, score, comment } = input;
  const kind = { entity: NpsResponseEntity, sealed: 'npsResponse', name: 'response' } as const;
  // A string always, so no comment is an empty one: docs/events.md#patients
  const data = { score, comment: comment ?? '', appointmentId };
  return submitAnswer<StoredNpsResponse>(em, kind, input, { type: 'nps.submitted', data }, context);
}

/** Records what a patient answered before a visit, with `triage.submitted`. Errors: those of `submitAnswer`. */
export function submitTriage(em: EntityManager, input: Answer<StoredTriageForm>, context: CommandContext) {
  const { appointmentId, answers } = input;
  const kind = { entity: TriageFormEntity, sealed: 'triageForm', name: 'form' } as const;
  const data = { appointmentId, answers };
  return submitAnswer<StoredTriageForm>(em, kind, input, { type: 'triage.submitted', data }, context);
}

/**
 * One answer of a kind for each appointment, which is held, so that a twin finds what the first one wrote.
 * Errors: `validation_failed` (unknown appointment), `external_id_conflict` (answered otherwise).
 */
async function submitAnswer<Stored extends OfAppointment>(
  em: EntityManager,
  { entity, sealed, name }: { entity: EntityName<Stored>; sealed: SealedKind; name: string },
  input: Answer<Stored>,
  event: Pick<NewEvent, 'type' | 'data'>,
  context: CommandContext,
): Promise<Recorded<Opened<Stored>>> {
  const { tenantId, appointmentId } = input;
  const locked = await lockAppointment(em, tenantId, appointmentId);
  if (!locked) throw fieldError('body.appointmentId', 'The clinic has no appointment with this ID.');
  const stored = await em.findOne(entity, { tenantId, appointmentId } as FilterQuery<Stored>);
  if (stored) {
    const recorded = await openRow(em, sealed, stored as Stored);
    refuseDifferent<object>(`The ${name} for this appointment`, input, recorded);
    return { recorded, isNew: false };
  }
  const recorded = { ...input, createdAt: locked.now } as unknown as Opened<Stored>;
  await em.insert(entity, await sealRow<Stored>(em, sealed, recorded));
  await recordEventOf(em, locked, { ...event, tenantId, appointmentId }, context);
  return { recorded, isNew: true };
}
