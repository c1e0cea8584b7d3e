import type { EntityManager } from '../../db/connection/open-database.ts';
import { writeAcknowledgement } from '../../db/appointments/acknowledgements.ts';
import { acknowledgementOf, type Acknowledgement } from '../../domain/appointments/acknowledgement.ts';
import { fieldError } from '../../domain/service-error.ts';
import { lockForChange } from './lock-for-change.ts';

export interface AcknowledgeAppointment extends Omit<Acknowledgement, 'at'> {
  tenantId: string;
  appointmentId: string;
}

/**
 * Stores whether the clinic's other system has written a version; an older one than the stored changes nothing. Returns
 * what is stored. The appointment keeps its version. docs/two-way-sync.md#acknowledgement Errors: `not_found`,
 * `validation_failed` for a version that does not exist yet.
 */
export async function acknowledgeAppointment(
  em: EntityManager,
  { tenantId, appointmentId, ...said }: AcknowledgeAppointment,
): Promise<Acknowledgement> {
  const { appointment, now } = await lockForChange(em, { tenantId, appointmentId });
  const { version } = appointment;
  if (said.version > version)
    throw fieldError('body.version', `must be at most ${version}, the latest version`);
  const stored = acknowledgementOf(appointment);
  if (stored && (stored.version > said.version || isSame(stored, said))) return stored;
  const acknowledgement = { ...said, at: now };
  await writeAcknowledgement(em, appointment, acknowledgement);
  return acknowledgement;
}

function isSame(one: Omit<Acknowledgement, 'at'>, other: Omit<Acknowledgement, 'at'>): boolean {
  return one.version === other.version && one.state === other.state && one.reason === other.reason;
}
