import type { ClinicOfVisits } from '../../../db/appointments/import/clinic-of-visits.ts';
import type { HeldVisit, ChangedVisit } from '../../../db/appointments/import/write-visits.ts';
import type { AppointmentRow } from '../../../db/entities/appointment.entity.ts';
import { decideStatus, type SettableStatus } from '../../../domain/appointments/appointment-status.ts';
import { bufferMinutesOf, slotFor, withOwnEnd } from '../../../domain/appointments/slot.ts';
import { bookedOver, takingTime, type BookedOver } from '../../../domain/appointments/taking-time.ts';
import { changedFields } from '../../changed-fields.ts';
import { toTimeless } from '../../webhooks/record-event.ts';
import { wantedEdit, type AppointmentEdit, editEvent } from '../edit-appointment.ts';
import { checkLength } from '../plan-booking.ts';
import { columnsOf, invalidTransition, statusEvent } from '../set-appointment-status.ts';
import { checkAwaited, serviceOf } from './plan-new-visit.ts';
import type { ImportRun, Visit } from './visit.ts';

/** What happens to an existing appointment: nothing, an update, or a move. */
export type KnownVisitPlan = 'same' | 'move' | PlannedChange;

export interface PlannedChange {
  change: ChangedVisit;
  /** Whether it takes more of the professional's time, and what that may be booked over. */
  isLonger: boolean;
  over: BookedOver | undefined;
}

/**
 * Errors: `validation_failed`, `invalid_status_transition`, and for an upcoming appointment the errors of a changed
 * service.
 */
export function planKnownVisit(
  visit: Visit,
  { appointment: before, now }: HeldVisit,
  clinic: ClinicOfVisits,
  run: ImportRun,
): KnownVisitPlan {
  const to = statusOf(visit, before, now);
  if (isElsewhere(visit, before)) return 'move';
  const edit = { ...wantedEdit(before, visit), ...lengthOf(visit, before, clinic) };
  const { reason = 'clinic_cancelled', checkedInAt = null } = visit;
  const settled = to ? columnsOf(to, reason, checkedInAt) : {};
  const corrected = to ? {} : correctionOf(visit, before);
  const changes = { ...edit, ...settled, ...corrected };
  if (Object.keys(changes).length === 0) return 'same';
  const edited = { ...before, ...changes, version: before.version + 1, updatedAt: now };
  const isLonger = (edited.blocks || edited.blocksOver) && edited.blockUntil > before.blockUntil;
  const over = isLonger ? bookedOver(visit.overlap, edited.endsAt <= run.context.now) : undefined;
  const overlap = edited.overlap || visit.overlap === true;
  const row = over ? { ...edited, ...takingTime({ over, overlap }) } : edited;
  if (row.status === 'confirmed' && edit.serviceTypeId) checkAwaited(visit, clinic, serviceOf(visit, clinic));
  const { tenantName } = clinic;
  const event = to
    ? statusEvent(row, { from: before.status, to, reason, edit, tenantName })
    : editEvent(row, tenantName, { ...edit, ...corrected }, now.toISOString());
  // Events do not show the details of a status, so correcting only these details sends no event.
  const isQuiet = run.context.isQuiet || (to === null && Object.keys(edit).length === 0);
  const told = toTimeless(event, { ...run.context, isQuiet }, now.toISOString());
  const change = { row, event: { ...told, createdAt: now } };
  return { change, isLonger, over };
}

function isElsewhere({ startsAt, professionalId }: Visit, before: AppointmentRow): boolean {
  return startsAt.getTime() !== before.startsAt.getTime() || professionalId !== before.professionalId;
}

/**
 * The new status, or null to keep the current one. Also null when a no-show becomes confirmed at another time. An older
 * copy cannot undo a check-in or a cancellation.
 */
function statusOf(visit: Visit, before: AppointmentRow, now: Date): SettableStatus | null {
  const { status, startsAt } = visit;
  const isAwaitedAnew = before.status === 'no_show' && status === 'confirmed' && isElsewhere(visit, before);
  if (status === undefined || isAwaitedAnew) return null;
  const decision = decideStatus({ ...before, startsAt }, status, now);
  if (decision.kind === 'change') return decision.to;
  if (decision.kind === 'unchanged') return null;
  throw invalidTransition(before, status, decision.kind === 'refused' ? decision.allowed : []);
}

/** Corrections of the details of an unchanged status. */
function correctionOf({ checkedInAt, reason }: Visit, before: AppointmentRow) {
  return changedFields(before, { checkedInAt, cancellationReason: reason });
}

/** An unchanged service changes nothing: the appointment keeps its length and buffer. */
function lengthOf(visit: Visit, before: AppointmentRow, clinic: ClinicOfVisits): AppointmentEdit {
  const { serviceTypeId, endsAt } = changedFields(before, {
    serviceTypeId: visit.serviceTypeId,
    endsAt: visit.endsAt,
  });
  if (serviceTypeId === undefined && endsAt === undefined) return {};
  const service = serviceTypeId
    ? serviceOf(visit, clinic)
    : { durationMinutes: 0, bufferMinutes: bufferMinutesOf(before) };
  const isOwn = before.ownLength || visit.endsAt !== undefined;
  const { startsAt } = before;
  const length =
    isOwn || !serviceTypeId ? withOwnEnd(service, { startsAt, endsAt: endsAt ?? before.endsAt }) : service;
  const slot = slotFor(startsAt, length);
  checkLength(slot);
  const wanted = { serviceTypeId, endsAt: slot.endsAt, blockUntil: slot.blockUntil, ownLength: isOwn };
  return changedFields<AppointmentRow>(before, wanted);
}
