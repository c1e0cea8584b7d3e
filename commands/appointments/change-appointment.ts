import type { AppointmentRow } from '../../db/entities/appointment.entity.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import type { AppointmentStatus, CancellationReason } from '../../domain/appointments/appointment-status.ts';
import { ServiceError } from '../../domain/service-error.ts';
import type { CommandContext } from '../command-context.ts';
import { isCorrection, wantedEdit, type EditableFields, editAppointment } from './edit-appointment.ts';
import { correctLength } from './correct-length.ts';
import { lockForChange, type AppointmentToChange } from './lock-for-change.ts';
import { rescheduleAppointment, type WantedMove } from './reschedule-appointment.ts';
import { appointmentRescheduled, setAppointmentStatus } from './set-appointment-status.ts';

export interface ChangeAppointment
  extends AppointmentToChange, EditableFields, Omit<WantedMove, 'startsAt' | 'professionalId' | 'edit'> {
  status?: AppointmentStatus;
  /** With status `cancelled`; `clinic_cancelled` by default. */
  reason?: CancellationReason;
  /** With status `attended`: when it was, null when no one knows; now by default. */
  checkedInAt?: Date | null | undefined;
  /** Reschedules, and so does `professionalId`; `serviceTypeId` and `endsAt` then go for the replacement. */
  startsAt?: Date;
  professionalId?: string;
}

export interface ChangedAppointment {
  appointment: AppointmentRow;
  /** Present when the appointment was, or already had been, moved to where the request wants it. */
  replacement: AppointmentRow | null;
}

/**
 * PATCH of an appointment: drops what equals the stored value, then reschedules, changes the status or edits fields,
 * with exactly one event, or none when nothing is left. docs/appointments.md#patch
 * Errors: `not_found`, `version_mismatch`, `validation_failed` and those of the commands it leads to.
 */
export async function changeAppointment(
  em: EntityManager,
  input: ChangeAppointment,
  context: CommandContext,
): Promise<ChangedAppointment> {
  const locked = await lockForChange(em, input);
  const { appointment } = locked;
  const edit = wantedEdit(appointment, input);
  const status = input.status === appointment.status ? undefined : input.status;
  const move = wantedMove(appointment, input);
  const isMoved = appointment.status === 'rescheduled';
  // A right guess of what a moved appointment holds must not be told from a wrong one.
  if (isMoved && input.mayRead === false) throw appointmentRescheduled(appointment);
  if (status && move) throw statusAndMove();
  if (isMoved && isCorrection(edit)) throw appointmentRescheduled(appointment);
  if (move) return rescheduleAppointment(em, locked, { ...input, ...move, edit }, context);
  const { serviceTypeId, endsAt } = input;
  const length = await correctLength(em, locked, { serviceTypeId, endsAt }, context);
  const whole = { ...edit, ...length };
  const { reason = 'clinic_cancelled' } = input;
  const changed = status
    ? await setAppointmentStatus(
        em,
        locked,
        { status, reason, checkedInAt: input.checkedInAt, edit: whole },
        context,
      )
    : await editAppointment(em, locked, whole, context);
  return { appointment: changed, replacement: null };
}

function wantedMove(appointment: AppointmentRow, input: ChangeAppointment) {
  const startsAt = input.startsAt ?? appointment.startsAt;
  const professionalId = input.professionalId?.toLowerCase() ?? appointment.professionalId;
  const isSame =
    startsAt.getTime() === appointment.startsAt.getTime() && professionalId === appointment.professionalId;
  return isSame ? null : { startsAt, professionalId };
}

function statusAndMove(): ServiceError {
  const message = 'cannot be changed together with `startsAt` or `professionalId`';
  return new ServiceError('validation_failed', 'Change the status and reschedule in two requests.', {
    errors: [{ path: 'body.status', message }],
  });
}
