import { uuidv7 } from 'uuidv7';
import type { LockedAppointment } from '../../db/appointments/find-appointment.ts';
import { freeForOverlap, freeHolds } from '../../db/appointments/slot-holds.ts';
import { insertAppointment } from '../../db/appointments/insert-appointments.ts';
import type { TimelineLine } from '../../db/webhooks/events/insert-event.ts';
import { lockProfessionals } from '../../db/clinic/professionals.ts';
import type { AppointmentRow } from '../../db/entities/appointment.entity.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { timingsOf } from '../../db/connection/timings-of.ts';
import { awaitedFrom } from '../../domain/appointments/awaited-from.ts';
import type { Slot } from '../../domain/appointments/slot.ts';
import { takesTime, type AppointmentStatus } from '../../domain/appointments/appointment-status.ts';
import { takingTime, TAKES_NO_TIME, type BookedOver } from '../../domain/appointments/taking-time.ts';
import { RESCHEDULED_SIGNAL } from '../../domain/temporal-names.ts';
import { noShowDueAt } from '../../domain/timings.ts';
import type { CommandContext } from '../command-context.ts';
import { recordEventOf } from '../webhooks/record-event.ts';
import { changedNames, type EditableFields, saveAppointment } from './edit-appointment.ts';
import { appointmentInEvent } from './appointment-event.ts';

/** The fields in which the replacement differs from the original. */
export type OwnOfReplacement = Slot &
  Pick<
    AppointmentRow,
    'professionalId' | 'serviceTypeId' | 'ownLength' | 'reinstatedAt' | 'callId' | 'overlap'
  >;

export interface Replacing {
  own: OwnOfReplacement;
  edit: EditableFields;
  holdId?: string | undefined;
  /** The status of the replacement; by default `confirmed`. */
  becomes?: AppointmentStatus | undefined;
  /** What the replacement may overlap; by default nothing. The caller locks the professionals for an overlap. */
  over?: BookedOver | undefined;
}

export interface Replaced {
  appointment: AppointmentRow;
  replacement: AppointmentRow;
}

/**
 * Replaces a locked appointment by a confirmed one, with `appointment.rescheduled`; null when its slot or external ID
 * is taken, and then the transaction must be rolled back. The original frees its slot first, so they may overlap.
 * @param edit other changes in the same request, applied to both
 * @param holdId the hold that the replacement uses
 */
export async function replaceAppointment(
  em: EntityManager,
  locked: LockedAppointment,
  { own, edit, holdId, becomes = 'confirmed', over }: Replacing,
  context: CommandContext,
): Promise<Replaced | null> {
  const original = locked.appointment;
  await lockProfessionals(em, original.tenantId, [original.professionalId, own.professionalId]);
  const replacementId = uuidv7();
  const appointment = await saveAppointment(em, locked, {
    ...edit,
    status: 'rescheduled',
    ...TAKES_NO_TIME,
    rescheduledToId: replacementId,
  });
  const time = takingTime({ takesTime: takesTime(becomes), over, overlap: own.overlap });
  const wanted = { ...appointment, ...own, ...time, id: replacementId, rescheduledFromId: original.id };
  const slot = { ...wanted, holdId, takenBy: context.actor };
  const isHeld = over === 'appointments' && !(await freeForOverlap(em, slot));
  if (isHeld) return null;
  const insert = () => insertAppointment(em, wanted, locked.now);
  const replacement = (await insert()) ?? ((await freeHolds(em, [slot])) ? await insert() : null);
  if (!replacement) return null;
  await announce(em, locked, { appointment, replacement, edit }, context);
  return { appointment, replacement };
}

async function announce(
  em: EntityManager,
  locked: LockedAppointment,
  { edit, ...replaced }: Replaced & { edit: EditableFields },
  context: CommandContext,
): Promise<void> {
  const { appointment, replacement } = replaced;
  const { tenantId: clinicId } = appointment;
  const dueAt = noShowDueAt(awaitedFrom(replacement), timingsOf(em)).toISOString();
  await recordEventOf(
    em,
    locked,
    {
      tenantId: clinicId,
      type: 'appointment.rescheduled',
      data: { original: appointmentInEvent(appointment), replacement: appointmentInEvent(replacement) },
      appointmentId: appointment.id,
      changes: timelineLines(locked.appointment, replaced, changedNames(edit)),
      messages: [
        { kind: 'settleNoShow', appointmentId: appointment.id, clinicId, signal: RESCHEDULED_SIGNAL },
        { kind: 'startNoShow', appointmentId: replacement.id, clinicId, dueAt },
      ],
    },
    context,
  );
}

function timelineLines(
  before: AppointmentRow,
  { appointment, replacement }: Replaced,
  fields: readonly string[],
): TimelineLine[] {
  const { startsAt, reinstatedAt, callId, overlap } = replacement;
  return [
    {
      appointmentId: appointment.id,
      kind: 'rescheduled',
      changes: {
        status: { from: before.status, to: 'rescheduled' },
        ...(reinstatedAt ? { reinstated: true } : { startsAt: { from: before.startsAt, to: startsAt } }),
        rescheduledToId: replacement.id,
        ...(fields.length > 0 && { fields }),
      },
    },
    {
      appointmentId: replacement.id,
      kind: 'created',
      changes: {
        status: 'confirmed',
        startsAt,
        rescheduledFromId: appointment.id,
        ...(callId && { callId }),
        ...(overlap && { overlap }),
      },
    },
  ];
}
