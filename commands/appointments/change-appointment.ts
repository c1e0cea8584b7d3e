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
  /** With `attended`: the check-in time, null when unknown; now by default. */
  checkedInAt?: Date | null | undefined;
  /** Reschedules, like `professionalId`; `serviceTypeId` and `endsAt` then apply to the replacement. */
  startsAt?: Date;
  professionalId?: string;
}

export interface ChangedAppointment {
  appointment: AppointmentRow;
  /** The replacement, if the appointment was moved as requested, by this request or an earlier one; else null. */
  replacement: AppointmentRow | null;
}

/**
 * PATCH of an appointment: ignores unchanged values, then reschedules, changes the status or edits fields. It emits one
 * event, or none when nothing changed. docs/appointments.md#patch Errors: `not_found`, `version_mismatch`,
 * `validation_failed`, and those of the commands it calls.
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
  // A caller who may not read appointments must not be able to find out values of a moved appointment by guessing.
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
