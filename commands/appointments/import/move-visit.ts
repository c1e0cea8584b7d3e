import { timingsOf } from '../../../db/connection/timings-of.ts';
import {
  writeOverVisits,
  type ChangedVisit,
  type HeldVisit,
} from '../../../db/appointments/import/write-visits.ts';
import type { BookedOver } from '../../../domain/appointments/taking-time.ts';
import { freeForOverlap } from '../../../db/appointments/slot-holds.ts';
import { takeTimeAfter } from '../../../db/appointments/take-time-after.ts';
import type { EntityManager } from '../../../db/connection/open-database.ts';
import type { AppointmentRow } from '../../../db/entities/appointment.entity.ts';
import type { AppointmentStatus } from '../../../domain/appointments/appointment-status.ts';
import { checkImportedStatus, statusOnArrival } from '../../../domain/appointments/imported-visit.ts';
import { fieldError } from '../../../domain/service-error.ts';
import { changeAppointment } from '../change-appointment.ts';
import type { ImportRun, Visit } from './visit.ts';

/** The other system decides about the hours. Alternatives are not searched, because this would take too long. */
const AS_IT_IS = { respectHours: false, tellsAlternatives: false, isImported: true };

/**
 * Moves an appointment to its time in the other system, like a PATCH, and keeps its status unless another one is given.
 * Returns the id of the current appointment. Errors: those of `changeAppointment`, after which the transaction must be
 * rolled back.
 */
export async function moveVisit(
  em: EntityManager,
  visit: Visit,
  before: AppointmentRow,
  { tenantId, context }: ImportRun,
): Promise<string> {
  const becomes = statusAfter(visit, before, {
    now: context.now,
    timings: timingsOf(em),
    isTold: !context.isQuiet,
  });
  const common = { tenantId, mayBackdate: true };
  const { status: _status, checkedInAt, reason, ...said } = visit;
  const moved = { ...common, ...said, appointmentId: before.id, becomes, ...AS_IT_IS };
  const { appointment, replacement } = await changeAppointment(em, moved, context);
  const { id: appointmentId, status } = replacement ?? appointment;
  if (becomes === status) return appointmentId;
  const settled = {
    ...knownOf(becomes, before),
    ...(checkedInAt && { checkedInAt }),
    ...(reason && { reason }),
  };
  await changeAppointment(em, { ...common, appointmentId, status: becomes, ...settled }, context);
  return appointmentId;
}

/** Saves a change that extends an appointment. @throws ServiceError `slot_conflict` when the time is taken */
export async function extendVisit(
  em: EntityManager,
  { appointment, now }: HeldVisit,
  { change, takenBy, over }: { change: ChangedVisit; takenBy: string; over: BookedOver | undefined },
) {
  const { id, blockUntil: until } = change.row;
  const isFree =
    over === 'everything' ||
    (over === 'appointments'
      ? await freeForOverlap(em, { ...change.row, takenBy })
      : await takeTimeAfter(em, appointment, { until, takenBy, now }));
  if (!isFree) throw slotTaken();
  await writeOverVisits(em, [change]);
  return id;
}

export function slotTaken() {
  const message = 'The professional already has an appointment at this time.';
  return fieldError('body.startsAt', message, 'slot_conflict');
}

/** The details of a status that does not change. */
function knownOf(status: AppointmentStatus, before: AppointmentRow) {
  const { checkedInAt, cancellationReason: reason } = before;
  return status === before.status ? { checkedInAt, ...(reason && { reason }) } : { checkedInAt: null };
}

function statusAfter(visit: Visit, before: AppointmentRow, arrival: Parameters<typeof statusOnArrival>[1]) {
  // For a locked appointment; rescheduled ones are not searched.
  const kept = before.status === 'rescheduled' ? 'confirmed' : before.status;
  const said = { ...visit, status: visit.status ?? kept };
  checkImportedStatus(said, arrival.now, before);
  const isSoAlready = said.status === before.status && visit.startsAt.getTime() === before.startsAt.getTime();
  return isSoAlready ? said.status : statusOnArrival(said, arrival);
}
