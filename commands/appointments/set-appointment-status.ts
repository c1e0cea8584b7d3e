import type { LockedAppointment } from '../../db/appointments/lock-appointment.ts';
import type { AppointmentRow } from '../../db/entities/appointment.entity.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import {
  decideStatus,
  type AppointmentStatus,
  type CancellationReason,
  type SettableStatus,
} from '../../domain/appointments/appointment-status.ts';
import type { OutboxMessage } from '../../domain/outbox-message.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { CANCELLED_SIGNAL, CHECKED_IN_SIGNAL } from '../../domain/temporal-names.ts';
import { appointmentInEvent } from './appointment-event.ts';
import type { CommandContext } from '../command-context.ts';
import { changedNames, type AppointmentEdit } from './appointment-edit.ts';
import { saveAppointment } from './save-appointment.ts';
import { recordEvent } from '../webhooks/record-event.ts';

export interface WantedStatus {
  status: AppointmentStatus;
  reason: CancellationReason;
  /** Other fields of the same request; they travel in the same change and cause no event of their own. */
  edit: AppointmentEdit;
}

/**
 * Checks in, cancels or records a no-show by hand, with the one event of that change.
 * Errors: `invalid_status_transition` (with `from`, `to`, `allowed`), `appointment_rescheduled`, `external_id_conflict`.
 */
export async function setAppointmentStatus(
  em: EntityManager,
  locked: LockedAppointment,
  wanted: WantedStatus,
  context: CommandContext,
): Promise<AppointmentRow> {
  const { appointment, tenantName, now } = locked;
  const to = allowedStatus(appointment, wanted.status, now);
  const changed = await saveAppointment(em, locked, {
    ...wanted.edit,
    ...columnsOf(to, wanted.reason, now),
  });
  const fields = changedNames(wanted.edit);
  await recordEvent(
    em,
    {
      tenant: { id: changed.tenantId, name: tenantName },
      type: `appointment.${to}`,
      data: {
        appointment: appointmentInEvent(changed),
        ...(to === 'cancelled' && { reason: wanted.reason }),
      },
      appointmentId: changed.id,
      changes: [
        {
          appointmentId: changed.id,
          kind: to,
          changes: {
            status: { from: appointment.status, to },
            ...(to === 'cancelled' && { reason: wanted.reason }),
            ...(fields.length > 0 && { fields }),
          },
        },
      ],
      messages: settlement(changed, to),
    },
    { ...context, now },
  );
  return changed;
}

function allowedStatus(appointment: AppointmentRow, to: AppointmentStatus, now: Date): SettableStatus {
  const decision = decideStatus(appointment, to, now);
  if (decision.kind === 'change') return decision.to;
  if (decision.kind === 'moved') throw appointmentRescheduled(appointment);
  const allowed = decision.kind === 'refused' ? decision.allowed : [];
  throw invalidTransition(appointment, to, allowed);
}

/** 409 with the statuses that it could be given now. */
export function invalidTransition(
  { status: from }: AppointmentRow,
  to: AppointmentStatus,
  allowed: readonly SettableStatus[],
): ServiceError {
  const message = `An appointment that is ${from} cannot become ${to}.`;
  return new ServiceError('invalid_status_transition', message, { extras: { from, to, allowed } });
}

export function appointmentRescheduled(appointment: AppointmentRow): ServiceError {
  return new ServiceError(
    'appointment_rescheduled',
    'This appointment was moved; change its replacement instead.',
    {
      extras: { rescheduledToId: appointment.rescheduledToId },
    },
  );
}

function columnsOf(to: SettableStatus, reason: CancellationReason, now: Date) {
  switch (to) {
    case 'attended':
      // A late check-in does not take the slot back, so `blocks` stays: docs/appointments.md#late-check-in
      return { status: to, checkedInAt: now };
    case 'cancelled':
      return { status: to, blocks: false, cancellationReason: reason };
    case 'no_show':
      return { status: to, blocks: false };
  }
}

/** A no-show recorded by hand needs no signal: its timer finds the appointment settled. */
function settlement(
  { id: appointmentId, tenantId: clinicId }: AppointmentRow,
  to: SettableStatus,
): OutboxMessage[] {
  if (to === 'no_show') return [];
  const signal = to === 'attended' ? CHECKED_IN_SIGNAL : CANCELLED_SIGNAL;
  return [{ kind: 'settleNoShow', appointmentId, clinicId, signal }];
}
