import { uuidv7 } from 'uuidv7';
import { insertAppointment } from '../db/appointment-rows.ts';
import { findBookableService, type BookableService } from '../db/bookable-service.ts';
import type { AppointmentRow } from '../db/entities/appointment.entity.ts';
import type { Sql } from '../db/open-database.ts';
import type { AppointmentSource } from '../domain/appointment-status.ts';
import { fieldError } from '../domain/service-error.ts';
import { isTooFarInThePast, slotFor } from '../domain/slot.ts';
import { noShowDueAt, type Timings } from '../domain/timings.ts';
import { appointmentInEvent } from './appointment-event.ts';
import { bookingConflict } from './booking-conflict.ts';
import type { CommandContext } from './command-context.ts';
import { recordEvent } from './record-event.ts';

export interface BookAppointment {
  tenantId: string;
  professionalId: string;
  serviceTypeId: string;
  patientName: string;
  patientPhoneHash: string;
  startsAt: Date;
  source: AppointmentSource;
  patientNotes: string | null;
  metadata: Record<string, unknown> | null;
  externalId: string | null;
  /** The caller may book any past time (scope `appointments:source`). */
  mayBackdate: boolean;
  timings: Timings;
}

/**
 * Books a free slot: the appointment, its timeline, the event and the no-show timer, in the caller's transaction.
 * Errors: `validation_failed` (unknown ids), `starts_in_past`, `service_not_offered`, `external_id_conflict`,
 * `slot_conflict`. INTERFACE.md, POST /v1/appointments.
 */
export async function bookAppointment(
  tx: Sql,
  input: BookAppointment,
  context: CommandContext,
): Promise<AppointmentRow> {
  checkStart(input, context.now);
  const service = await findBookableService(tx, input.tenantId, input.serviceTypeId, input.professionalId);
  checkOffered(service);
  const appointment = await insertAppointment(tx, {
    ...input,
    ...slotFor(input.startsAt, service),
    id: uuidv7(),
    rescheduledFromId: null,
  });
  if (!appointment) {
    const { tenantConfig } = service;
    throw await bookingConflict(tx, { ...input, service, tenantConfig }, context.now);
  }
  await announce(tx, appointment, service.tenantName, input.timings, context);
  return appointment;
}

/** 422 for a start too far back, unless the caller may backdate. */
export function checkStart(wanted: { startsAt: Date; mayBackdate: boolean }, now: Date): void {
  if (wanted.mayBackdate || !isTooFarInThePast(wanted.startsAt, now)) return;
  throw fieldError('body.startsAt', 'startsAt lies more than 24 hours in the past.', 'starts_in_past');
}

function checkOffered(service: BookableService | null): asserts service is BookableService {
  if (!service) throw fieldError('body.serviceTypeId', 'The clinic has no service with this id.');
  checkProfessional(service);
  if (!service.serviceActive) {
    throw fieldError('body.serviceTypeId', 'This service is no longer offered.', 'service_not_offered');
  }
}

/** 422 when the professional is unknown, has left or does not offer the service. */
export function checkProfessional(service: Pick<BookableService, 'professionalActive' | 'offered'>): void {
  if (service.professionalActive === null) {
    throw fieldError('body.professionalId', 'The clinic has no professional with this id.');
  }
  if (!service.professionalActive || !service.offered) {
    throw fieldError(
      'body.professionalId',
      'This professional does not offer this service.',
      'service_not_offered',
    );
  }
}

async function announce(
  tx: Sql,
  appointment: AppointmentRow,
  tenantName: string,
  timings: Timings,
  context: CommandContext,
): Promise<void> {
  const { id, tenantId, startsAt } = appointment;
  const dueAt = noShowDueAt(startsAt, timings).toISOString();
  await recordEvent(
    tx,
    {
      tenant: { id: tenantId, name: tenantName },
      type: 'appointment.created',
      data: { appointment: appointmentInEvent(appointment) },
      appointmentId: id,
      changes: [{ appointmentId: id, kind: 'created', changes: { status: 'confirmed', startsAt } }],
      messages: [{ kind: 'startNoShow', appointmentId: id, clinicId: tenantId, dueAt }],
    },
    context,
  );
}
