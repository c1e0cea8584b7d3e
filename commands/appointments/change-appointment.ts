import { lockAppointment, type LockedAppointment } from '../../db/appointments/lock-appointment.ts';
import type { AppointmentRow } from '../../db/entities/appointment.entity.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import type { AppointmentStatus, CancellationReason } from '../../domain/appointments/appointment-status.ts';
import { notFound, ServiceError } from '../../domain/service-error.ts';
import type { Timings } from '../../domain/timings.ts';
import { changedFields } from '../changed-fields.ts';
import type { CommandContext } from '../command-context.ts';
import { editAppointment, type EditableFields } from './edit-appointment.ts';
import { rescheduleAppointment } from './reschedule-appointment.ts';
import { appointmentRescheduled, setAppointmentStatus } from './set-appointment-status.ts';

export interface ChangeAppointment extends EditableFields {
  tenantId: string;
  appointmentId: string;
  status?: AppointmentStatus;
  /** With status `cancelled`; `clinic_cancelled` by default. */
  reason?: CancellationReason;
  /** Reschedules, and so does `professionalId`. */
  startsAt?: Date;
  professionalId?: string;
  /** From `If-Match`. */
  expectedVersion?: number;
  mayBackdate: boolean;
  timings: Timings;
}

export interface ChangedAppointment {
  appointment: AppointmentRow;
  /** Present when the appointment was, or already had been, moved to where the request wants it. */
  replacement: AppointmentRow | null;
}

/**
 * PATCH of an appointment: drops what equals the stored value, then reschedules, changes the status or edits fields,
 * with exactly one event, or none when nothing is left. docs/appointments.md#patch
 * Errors: `not_found`, `version_mismatch`, `validation_failed` and those of the three commands it leads to.
 */
export async function changeAppointment(
  em: EntityManager,
  input: ChangeAppointment,
  context: CommandContext,
): Promise<ChangedAppointment> {
  const locked = await lockOrRefuse(em, input);
  const { appointment } = locked;
  const { patientNotes, metadata, externalId, patientExternalId } = input;
  const edit = changedFields(appointment, { patientNotes, metadata, externalId, patientExternalId });
  if (appointment.status === 'rescheduled' && 'patientExternalId' in edit)
    throw appointmentRescheduled(appointment);
  const status = input.status === appointment.status ? undefined : input.status;
  const move = wantedMove(appointment, input);
  if (status && move) throw statusAndMove();
  if (move) return rescheduleAppointment(em, locked, { ...input, ...move, edit }, context);
  const changed = status
    ? await setAppointmentStatus(
        em,
        locked,
        { status, reason: input.reason ?? 'clinic_cancelled', edit },
        context,
      )
    : await editAppointment(em, locked, edit, context);
  return { appointment: changed, replacement: null };
}

async function lockOrRefuse(em: EntityManager, input: ChangeAppointment): Promise<LockedAppointment> {
  const locked = await lockAppointment(em, input.tenantId, input.appointmentId);
  if (!locked) throw notFound('appointment', input.appointmentId);
  const { version } = locked.appointment;
  if (input.expectedVersion !== undefined && input.expectedVersion !== version) {
    throw new ServiceError('version_mismatch', 'The appointment has changed since you read it.', {
      extras: { version },
    });
  }
  return locked;
}

function wantedMove(appointment: AppointmentRow, input: ChangeAppointment) {
  const startsAt = input.startsAt ?? appointment.startsAt;
  const professionalId = input.professionalId?.toLowerCase() ?? appointment.professionalId;
  const isSame =
    startsAt.getTime() === appointment.startsAt.getTime() && professionalId === appointment.professionalId;
  return isSame ? null : { startsAt, professionalId };
}

function statusAndMove(): ServiceError {
  const message = 'cannot be changed together with startsAt or professionalId';
  return new ServiceError('validation_failed', 'A status change and a move need two requests.', {
    errors: [{ path: 'body.status', message }],
  });
}
