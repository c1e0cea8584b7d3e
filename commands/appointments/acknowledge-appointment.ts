import { isWatched } from '../../db/appointments/acknowledgement-watch.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { writeAcknowledgement } from '../../db/appointments/acknowledgements.ts';
import { acknowledgementOf, type Acknowledgement } from '../../domain/appointments/acknowledgement.ts';
import { fieldError } from '../../domain/service-error.ts';
import type { CommandContext } from '../command-context.ts';
import { lockForChange } from './lock-for-change.ts';
import { reportUnacknowledged } from './report-unacknowledged.ts';

export interface AcknowledgeAppointment extends Omit<Acknowledgement, 'at'> {
  tenantId: string;
  appointmentId: string;
}

/**
 * Stores whether the clinic's other system has written a version; an older one than the stored changes nothing. Returns
 * what is stored. The appointment keeps its version. When the latest version is refused, the clinic is told, if it has
 * asked for it. docs/acknowledgements.md Errors: `not_found`, `validation_failed` for a version that does not
 * exist yet.
 */
export async function acknowledgeAppointment(
  em: EntityManager,
  { tenantId, appointmentId, ...said }: AcknowledgeAppointment,
  context: CommandContext,
): Promise<Acknowledgement> {
  const locked = await lockForChange(em, { tenantId, appointmentId });
  const { appointment, now } = locked;
  const { version } = appointment;
  if (said.version > version)
    throw fieldError('body.version', `must be at most ${version}, the latest version`);
  const stored = acknowledgementOf(appointment);
  if (stored && (stored.version > said.version || isSame(stored, said))) return stored;
  const acknowledgement = { ...said, at: now };
  await writeAcknowledgement(em, appointment, { ...acknowledgement, by: context.actor });
  const { state, reason } = said;
  if (state === 'refused' && said.version === version && (await isWatched(em, tenantId)))
    await reportUnacknowledged(em, locked, { state, reason }, context);
  return acknowledgement;
}

function isSame(one: Omit<Acknowledgement, 'at'>, other: Omit<Acknowledgement, 'at'>): boolean {
  return one.version === other.version && one.state === other.state && one.reason === other.reason;
}
