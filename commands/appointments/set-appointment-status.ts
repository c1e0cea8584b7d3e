import type { LockedAppointment } from '../../db/appointments/find-appointment.ts';
import type { AppointmentRow } from '../../db/entities/appointment.entity.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import {
  decideStatus,
  type AppointmentStatus,
  type CancellationReason,
  type SettableStatus,
} from '../../domain/appointments/appointment-status.ts';
import { TAKES_NO_TIME } from '../../domain/appointments/taking-time.ts';
import type { OutboxMessage } from '../../domain/outbox-message.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { CANCELLED_SIGNAL, CHECKED_IN_SIGNAL } from '../../domain/temporal-names.ts';
import { appointmentInEvent } from './appointment-event.ts';
import type { CommandContext } from '../command-context.ts';
import { changedNames, type AppointmentEdit, saveAppointment } from './edit-appointment.ts';
import { recordEvent, type NewEvent } from '../webhooks/record-event.ts';

export interface WantedStatus {
  status: AppointmentStatus;
  reason: CancellationReason;
  /** With `attended`: the check-in time, null when unknown; now by default. */
  checkedInAt?: Date | null | undefined;
  /** Other changes in the same request, without an event of their own. */
  edit: AppointmentEdit;
}

/**
 * Checks in, cancels or records a no-show, with one event. `change-appointment.ts` filters out an unchanged status.
 * Errors: `invalid_status_transition` (with `from`, `to`, `allowed`), `appointment_rescheduled`,
 * `external_id_conflict`.
 */
export async function setAppointmentStatus(
  em: EntityManager,
  locked: LockedAppointment,
  wanted: WantedStatus,
  context: CommandContext,
): Promise<AppointmentRow> {
  const { appointment, tenantName, now } = locked;
  const to = allowedStatus(appointment, wanted.status, now);
  const columns = columnsOf(to, wanted.reason, wanted.checkedInAt === undefined ? now : wanted.checkedInAt);
  const changed = await saveAppointment(em, locked, { ...wanted.edit, ...columns });
  const event = statusEvent(changed, { ...wanted, from: appointment.status, to, tenantName });
  await recordEvent(em, event, { ...context, now });
  return changed;
}

export interface SettledStatus {
  from: AppointmentStatus;
  to: SettableStatus;
  reason: CancellationReason;
  edit: AppointmentEdit;
  tenantName: string;
}

/** The event, timeline line and no-show timer signal of a status. @param changed the appointment afterwards */
export function statusEvent(
  changed: AppointmentRow,
  { from, to, reason, edit, tenantName }: SettledStatus,
): NewEvent {
  const { id: appointmentId, tenantId } = changed;
  const fields = changedNames(edit);
  const why = to === 'cancelled' && { reason };
  return {
    tenant: { id: tenantId, name: tenantName },
    type: `appointment.${to}`,
    data: { appointment: appointmentInEvent(changed), ...why },
    appointmentId,
    changes: [
      {
        appointmentId,
        kind: to,
        changes: { status: { from, to }, ...why, ...(fields.length > 0 && { fields }) },
      },
    ],
    messages: settlement(changed, to),
  };
}

function allowedStatus(appointment: AppointmentRow, to: AppointmentStatus, now: Date): SettableStatus {
  const decision = decideStatus(appointment, to, now);
  if (decision.kind === 'change') return decision.to;
  if (decision.kind === 'moved') throw appointmentRescheduled(appointment);
  const allowed = decision.kind === 'refused' ? decision.allowed : [];
  throw invalidTransition(appointment, to, allowed);
}

/** 409 with the statuses that are allowed now. */
export function invalidTransition(
  { status: from }: AppointmentRow,
  to: AppointmentStatus,
  allowed: readonly SettableStatus[],
): ServiceError {
  const message = `The status cannot change from \`${from}\` to \`${to}\`.`;
  return new ServiceError('invalid_status_transition', message, { extras: { from, to, allowed } });
}

export function appointmentRescheduled(appointment: AppointmentRow): ServiceError {
  const message = 'This appointment was rescheduled. Change its replacement instead (`rescheduledToId`).';
  return new ServiceError('appointment_rescheduled', message, {
    extras: { rescheduledToId: appointment.rescheduledToId },
  });
}

/** The columns that a status sets. @param checkedInAt null: unknown */
export function columnsOf(to: SettableStatus, reason: CancellationReason, checkedInAt: Date | null) {
  switch (to) {
    case 'attended':
      // A late check-in does not take the slot again, so `blocks` and `blocksOver` stay: docs/appointments.md#late-check-in
      return { status: to, checkedInAt };
    case 'cancelled':
      return { status: to, ...TAKES_NO_TIME, cancellationReason: reason };
    case 'no_show':
      return { status: to, ...TAKES_NO_TIME };
  }
}

/**
 * The signal for the no-show timer. A no-show that is recorded by hand needs none, because its timer finds the final
 * status.
 */
function settlement(
  { id: appointmentId, tenantId: clinicId }: AppointmentRow,
  to: SettableStatus,
): OutboxMessage[] {
  if (to === 'no_show') return [];
  const signal = to === 'attended' ? CHECKED_IN_SIGNAL : CANCELLED_SIGNAL;
  return [{ kind: 'settleNoShow', appointmentId, clinicId, signal }];
}
