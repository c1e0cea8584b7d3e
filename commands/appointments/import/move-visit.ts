import { timingsOf } from '../../../db/connection/timings-of.ts';
import {
  writeOverVisits,
  type ChangedVisit,
  type HeldVisit,
} from '../../../db/appointments/import/write-visits.ts';
import { takeTimeAfter } from '../../../db/appointments/take-time-after.ts';
import type { EntityManager } from '../../../db/connection/open-database.ts';
import type { AppointmentRow } from '../../../db/entities/appointment.entity.ts';
import type { AppointmentStatus } from '../../../domain/appointments/appointment-status.ts';
import { checkImportedStatus, statusOnArrival } from '../../../domain/appointments/imported-visit.ts';
import { fieldError } from '../../../domain/service-error.ts';
import { changeAppointment } from '../change-appointment.ts';
import type { ImportRun, Visit } from './visit.ts';

/** Hours restrict nothing, and looking for free times would take longer than all else. */
const AS_IT_IS = { respectHours: false, tellsAlternatives: false };

/**
 * Moves an appointment to where another system has it, as a PATCH would, and leaves it with the status that it had, unless
 * another one is said. Returns the id of the one that counts then.
 * Errors: those of `changeAppointment`, after which the transaction is to be undone.
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

/** Writes a change by which an appointment takes more time. @throws ServiceError `slot_conflict` when another one has it */
export async function extendVisit(
  em: EntityManager,
  { appointment, now }: HeldVisit,
  { change, takenBy }: { change: ChangedVisit; takenBy: string },
) {
  const { id, blockUntil } = change.row;
  if (!(await takeTimeAfter(em, appointment, { until: blockUntil, takenBy, now }))) throw slotTaken();
  await writeOverVisits(em, [change]);
  return id;
}

export function slotTaken() {
  const message = 'The professional already has an appointment at this time.';
  return fieldError('body.startsAt', message, 'slot_conflict');
}

/** What is known of a status that stays as it was. */
function knownOf(status: AppointmentStatus, before: AppointmentRow) {
  const { checkedInAt, cancellationReason: reason } = before;
  return status === before.status ? { checkedInAt, ...(reason && { reason }) } : { checkedInAt: null };
}

function statusAfter(visit: Visit, before: AppointmentRow, arrival: Parameters<typeof statusOnArrival>[1]) {
  // Of a held one; those that were moved are not looked for.
  const kept = before.status === 'rescheduled' ? 'confirmed' : before.status;
  const said = { ...visit, status: visit.status ?? kept };
  checkImportedStatus(said, arrival.now, before);
  const isSoAlready = said.status === before.status && visit.startsAt.getTime() === before.startsAt.getTime();
  return isSoAlready ? said.status : statusOnArrival(said, arrival);
}
