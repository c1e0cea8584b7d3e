import { uuidv7 } from 'uuidv7';
import type { ClinicOfVisits, ServiceOfVisits } from '../../../db/appointments/import/clinic-of-visits.ts';
import type { NewVisit, NewVisitRow } from '../../../db/appointments/import/write-visits.ts';
import type { StampedEvent } from '../../../db/webhooks/events/insert-event.ts';
import { takesTime } from '../../../domain/appointments/appointment-status.ts';
import { statusOnArrival } from '../../../domain/appointments/imported-visit.ts';
import { slotFor, withOwnEnd } from '../../../domain/appointments/slot.ts';
import { bookedOver, takingTime } from '../../../domain/appointments/taking-time.ts';
import type { OutboxMessage } from '../../../domain/outbox-message.ts';
import { fieldError } from '../../../domain/service-error.ts';
import { noShowDueAt } from '../../../domain/timings.ts';
import { stampedEvent } from '../../webhooks/record-event.ts';
import { clinicLimitReached } from '../../clinic/clinic-limit.ts';
import { appointmentInEvent } from '../appointment-event.ts';
import { checkLength, checkProfessional, editableColumns } from '../plan-booking.ts';
import type { TimedRun, Visit } from './visit.ts';

/** For an item without a service, which gives its own end and has no buffer. */
const NO_SERVICE: ServiceOfVisits = { durationMinutes: 0, bufferMinutes: 0, active: true, offeredBy: [] };

/**
 * The rows of a new appointment, valid unless other appointments conflict. Errors: `validation_failed`, and for an
 * upcoming one `professional_inactive`, `service_not_offered`.
 */
export function planNewVisit(visit: Visit, clinic: ClinicOfVisits, run: TimedRun): NewVisit {
  if (clinic.isFull) throw clinicLimitReached('appointments');
  const { startsAt, endsAt, serviceTypeId = null, overlap = false } = visit;
  const { context, timings, tenantId } = run;
  const isTold = !context.isQuiet;
  const status = statusOnArrival(visit, { now: context.now, timings, isTold });
  const service = serviceOf(visit, clinic);
  if (status === 'confirmed') checkAwaited(visit, clinic, service);
  const slot = slotFor(startsAt, endsAt ? withOwnEnd(service, { startsAt, endsAt }) : service);
  checkLength(slot);
  const over = bookedOver(overlap, slot.endsAt <= context.now);
  const row: NewVisitRow = {
    id: uuidv7(),
    tenantId,
    professionalId: visit.professionalId,
    serviceTypeId,
    ...editableColumns(visit),
    ...slot,
    ...takingTime({ takesTime: takesTime(status), over, overlap }),
    ownLength: endsAt !== undefined,
    status,
    source: 'sync_external',
    cancellationReason: status === 'cancelled' ? (visit.reason ?? 'clinic_cancelled') : null,
    checkedInAt: visit.checkedInAt ?? null,
    reinstatedAt: null,
    callId: null,
    rescheduledFromId: null,
  };
  return { row, events: eventsOf(row, visit, clinic, run) };
}

/**
 * The service of an item. It can be inactive, because it may have been active at that time. @throws ServiceError
 * `validation_failed` for an unknown service
 */
export function serviceOf({ serviceTypeId }: Visit, { services }: ClinicOfVisits): ServiceOfVisits {
  if (!serviceTypeId) return NO_SERVICE;
  const service = services.get(serviceTypeId);
  if (service) return service;
  throw fieldError('body.serviceTypeId', 'The clinic has no service with this ID.');
}

/** Errors: `professional_inactive`, `service_not_offered`. */
export function checkAwaited(
  { professionalId }: Visit,
  { professionals }: ClinicOfVisits,
  service: ServiceOfVisits,
) {
  const { offeredBy } = service;
  const offered = offeredBy.length === 0 || offeredBy.includes(professionalId);
  checkProfessional({ professionalActive: professionals.get(professionalId)?.active ?? null, offered });
  if (!service.active) {
    throw fieldError('body.serviceTypeId', 'This service is no longer offered.', 'service_not_offered');
  }
}

/** The event of the creation and, for a no-show, the event of the no-show. The database sets their times. */
function eventsOf(row: NewVisitRow, visit: Visit, clinic: ClinicOfVisits, run: TimedRun): StampedEvent[] {
  const { id: appointmentId, status, startsAt } = row;
  const told = { tenant: { id: run.tenantId, name: clinic.tenantName }, appointmentId };
  const created = stampedEvent(run.context, (instant) => ({
    ...told,
    type: 'appointment.created',
    data: { appointment: inEvent(row, instant) },
    changes: [{ appointmentId, kind: 'created', changes: { status, startsAt } }],
    messages: timerOf(row, run),
  }));
  if (status !== 'no_show' || visit.status === 'no_show') return [created];
  const missed = stampedEvent(run.context, (instant) => ({
    ...told,
    type: 'appointment.no_show',
    data: { appointment: inEvent(row, instant) },
  }));
  return [created, missed];
}

function inEvent(row: NewVisitRow, instant: string) {
  const atFirst = {
    version: 1,
    rescheduledToId: null,
    patientConfirmedAt: null,
    createdAt: instant,
    updatedAt: instant,
  };
  return appointmentInEvent({ ...row, ...atFirst });
}

function timerOf({ id: appointmentId, tenantId: clinicId, status, startsAt }: NewVisitRow, run: TimedRun) {
  if (status !== 'confirmed') return [];
  const dueAt = noShowDueAt(startsAt, run.timings).toISOString();
  return [{ kind: 'startNoShow', appointmentId, clinicId, dueAt }] satisfies OutboxMessage[];
}
