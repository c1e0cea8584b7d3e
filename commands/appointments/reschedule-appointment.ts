import { uuidv7 } from 'uuidv7';
import { findAppointment } from '../../db/appointments/find-appointment.ts';
import type { LockedAppointment } from '../../db/appointments/lock-appointment.ts';
import { findBookableService } from '../../db/appointments/bookable-service.ts';
import { lockProfessionals } from '../../db/clinic/lock-professionals.ts';
import type { AppointmentRow } from '../../db/entities/appointment.entity.ts';
import { ProfessionalEntity } from '../../db/entities/professional.entity.ts';
import { insertAppointment } from '../../db/appointments/insert-appointments.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { slotFor } from '../../domain/appointments/slot.ts';
import { RESCHEDULED_SIGNAL } from '../../domain/temporal-names.ts';
import { noShowDueAt, type Timings } from '../../domain/timings.ts';
import { appointmentInEvent } from './appointment-event.ts';
import { bookingConflict } from './booking-conflict.ts';
import { requireTenant } from '../clinic/require-tenant.ts';
import type { CommandContext } from '../command-context.ts';
import type { EditableFields } from './edit-appointment.ts';
import { saveAppointment } from './save-appointment.ts';
import { checkProfessional, checkStart } from './plan-booking.ts';
import { recordEvent } from '../webhooks/record-event.ts';
import { appointmentRescheduled } from './set-appointment-status.ts';

export interface WantedMove {
  startsAt: Date;
  professionalId: string;
  /** Other fields of the same request; original and replacement both get them. */
  edit: EditableFields;
  mayBackdate: boolean;
  timings: Timings;
}

interface Moved {
  appointment: AppointmentRow;
  replacement: AppointmentRow;
}

/**
 * Replaces an appointment by one at another time or with another professional. The original frees its slot before the
 * replacement takes its own, so a move may overlap the old time. docs/appointments.md#reschedule
 * Errors: `appointment_rescheduled`, `starts_in_past`, `service_not_offered`, `professional_inactive`, `slot_conflict`,
 * `external_id_conflict`.
 */
export async function rescheduleAppointment(
  em: EntityManager,
  locked: LockedAppointment,
  move: WantedMove,
  context: CommandContext,
): Promise<Moved> {
  const original = locked.appointment;
  if (original.status === 'rescheduled') return alreadyMoved(em, original, move);
  checkStart(move, context.now);
  const service = await serviceOfMove(em, original, move.professionalId);
  await lockProfessionals(em, original.tenantId, [original.professionalId, move.professionalId]);
  const replacementId = uuidv7();
  const appointment = await saveAppointment(em, locked, {
    ...move.edit,
    status: 'rescheduled',
    blocks: false,
    rescheduledToId: replacementId,
  });
  const wantedReplacement = {
    ...appointment,
    ...slotFor(move.startsAt, service),
    id: replacementId,
    professionalId: move.professionalId,
    rescheduledFromId: original.id,
  };
  const replacement = await insertAppointment(em, wantedReplacement, locked.now);
  if (!replacement) {
    const { tenantId, externalId } = appointment;
    const { startsAt, professionalId } = move;
    const wanted = { tenantId, externalId, startsAt, professionalId, service };
    throw await bookingConflict(em, { ...wanted, tenantConfig: service.tenantConfig }, context.now);
  }
  await announce(em, locked, { appointment, replacement }, move.timings, context);
  return { appointment, replacement };
}

/** A repeated request finds its work done; any other belongs to the replacement. */
async function alreadyMoved(em: EntityManager, original: AppointmentRow, move: WantedMove): Promise<Moved> {
  const replacement = original.rescheduledToId
    ? await findAppointment(em, original.tenantId, original.rescheduledToId)
    : null;
  const isThere =
    replacement?.startsAt.getTime() === move.startsAt.getTime() &&
    (move.professionalId === original.professionalId || replacement.professionalId === move.professionalId);
  if (!replacement || !isThere) throw appointmentRescheduled(original);
  return { appointment: original, replacement };
}

/**
 * An appointment keeps its service even when that has become inactive; one without a service keeps its length.
 * @throws ServiceError `service_not_offered`, `professional_inactive`, `validation_failed` when it cannot be moved to this professional
 */
export async function serviceOfMove(em: EntityManager, original: AppointmentRow, professionalId: string) {
  const service = original.serviceTypeId
    ? await findBookableService(em, {
        tenantId: original.tenantId,
        serviceTypeId: original.serviceTypeId,
        professionalId,
      })
    : await ownLength(em, original, professionalId);
  if (!service) throw new Error('the service of a stored appointment is gone');
  if (professionalId !== original.professionalId) checkProfessional(service);
  return service;
}

async function ownLength(
  em: EntityManager,
  { tenantId, ...original }: AppointmentRow,
  professionalId: string,
) {
  const { config: tenantConfig } = await requireTenant(em, tenantId);
  const professional = await em.findOne(ProfessionalEntity, { tenantId, id: professionalId });
  const minutes = (from: Date, until: Date) => (until.getTime() - from.getTime()) / 60_000;
  return {
    tenantConfig,
    professionalActive: professional?.active ?? null,
    offered: true,
    workingHours: professional?.workingHours ?? null,
    specialHours: professional?.specialHours ?? null,
    durationMinutes: minutes(original.startsAt, original.endsAt),
    bufferMinutes: minutes(original.endsAt, original.blockUntil),
  };
}

async function announce(
  em: EntityManager,
  { tenantName, appointment: before, now }: LockedAppointment,
  { appointment, replacement }: Moved,
  timings: Timings,
  context: CommandContext,
): Promise<void> {
  const { tenantId: clinicId } = appointment;
  const dueAt = noShowDueAt(replacement.startsAt, timings).toISOString();
  await recordEvent(
    em,
    {
      tenant: { id: clinicId, name: tenantName },
      type: 'appointment.rescheduled',
      data: { original: appointmentInEvent(appointment), replacement: appointmentInEvent(replacement) },
      appointmentId: appointment.id,
      changes: [
        {
          appointmentId: appointment.id,
          kind: 'rescheduled',
          changes: {
            status: { from: before.status, to: 'rescheduled' },
            startsAt: { from: before.startsAt, to: replacement.startsAt },
            rescheduledToId: replacement.id,
          },
        },
        {
          appointmentId: replacement.id,
          kind: 'created',
          changes: { status: 'confirmed', startsAt: replacement.startsAt, rescheduledFromId: appointment.id },
        },
      ],
      messages: [
        { kind: 'settleNoShow', appointmentId: appointment.id, clinicId, signal: RESCHEDULED_SIGNAL },
        { kind: 'startNoShow', appointmentId: replacement.id, clinicId, dueAt },
      ],
    },
    { ...context, now },
  );
}
