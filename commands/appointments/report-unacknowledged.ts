import { recordUnacknowledged } from '../../db/appointments/acknowledgement-watch.ts';
import type { LockedAppointment } from '../../db/appointments/find-appointment.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import type { CommandContext } from '../command-context.ts';
import { recordEventOf } from '../webhooks/record-event.ts';
import { appointmentInEvent } from './appointment-event.ts';

/** Why a version is not in the clinic's other system. */
export type WhyUnacknowledged =
  | { state: 'refused'; reason: string | null }
  | { state: 'missing'; reason: null };

/**
 * Reports that the latest version of a locked appointment is not written, once for each version: with a notification and
 * `appointment.unacknowledged`. docs/acknowledgements.md#unacknowledged-appointments
 */
export async function reportUnacknowledged(
  em: EntityManager,
  locked: LockedAppointment,
  why: WhyUnacknowledged,
  context: CommandContext,
): Promise<boolean> {
  const { appointment, now } = locked;
  const { id: appointmentId, tenantId, version } = appointment;
  const isNew = await recordUnacknowledged(em, { tenantId, appointmentId, version, now });
  if (!isNew) return false;
  const data = { appointment: appointmentInEvent(appointment), ...why };
  const event = { tenantId, type: 'appointment.unacknowledged', data, appointmentId } as const;
  await recordEventOf(em, locked, event, context);
  return true;
}
