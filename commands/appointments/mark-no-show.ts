import {
  findNoShowProspect,
  lockLateAppointments,
  lockOverdueAppointment,
  type LateAppointment,
} from '../../db/appointments/no-shows.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { timingsOf } from '../../db/connection/timings-of.ts';
import { noShowDueAt } from '../../domain/timings.ts';
import { awaitedFrom } from '../../domain/appointments/awaited-from.ts';
import type { AppointmentStatus } from '../../domain/appointments/appointment-status.ts';
import type { CommandContext } from '../command-context.ts';
import { setAppointmentStatus } from './set-appointment-status.ts';

/** How the wait for a check-in ended; `unknown`: the clinic has no such appointment. */
export type NoShowOutcome = 'no_show' | 'checked_in' | 'cancelled' | 'rescheduled' | 'unknown';

/** What the command found. `lateMs` is the time since the grace period ended, if the no-show was marked now. */
export type NoShowFinding = { outcome: NoShowOutcome; lateMs?: number } | { notDueForMs: number };

/**
 * Makes a confirmed appointment a no-show after its grace period, with the event, in the caller's transaction. The row
 * decides: a final status is kept, and if the no-show is not due yet, the remaining time is returned.
 * docs/appointments.md#no-show
 */
export async function markNoShow(
  em: EntityManager,
  input: LateAppointment,
  context: CommandContext,
): Promise<NoShowFinding> {
  const lateMs = await markWhenOverdue(em, input, context);
  if (lateMs !== null) return { outcome: 'no_show', lateMs };
  const { tenantId, appointmentId } = input;
  const prospect = await findNoShowProspect(em, tenantId, appointmentId);
  if (!prospect) return { outcome: 'unknown' };
  // A timer may fire a moment early, and the grace period may end between the two queries.
  if (prospect.status === 'confirmed') return { notDueForMs: Math.max(1, Math.ceil(prospect.dueInMs)) };
  return { outcome: outcomeOf(prospect.status) };
}

/** Marks a confirmed appointment as a no-show if its grace period has ended; returns how late, or null. */
export async function markWhenOverdue(
  em: EntityManager,
  { tenantId, appointmentId }: LateAppointment,
  context: CommandContext,
): Promise<number | null> {
  const overdue = await lockOverdueAppointment(em, tenantId, appointmentId);
  if (!overdue) return null;
  await setAppointmentStatus(em, overdue, { status: 'no_show', reason: 'auto', edit: {} }, context);
  // The clocks of the database and this process may differ slightly.
  return Math.max(
    0,
    context.now.getTime() - noShowDueAt(awaitedFrom(overdue.appointment), timingsOf(em)).getTime(),
  );
}

function outcomeOf(status: Exclude<AppointmentStatus, 'confirmed'>): NoShowOutcome {
  return status === 'attended' ? 'checked_in' : status;
}

/** A timer this late means that Temporal is behind, and so are other timers. */
export const LATE_MS = 1000;
/**
 * How many are marked in one transaction. This takes a fraction of a second, for which check-ins of these appointments
 * wait.
 */
const AT_ONCE = 20;

export type MarkedNoShow = LateAppointment & { lateMs: number };

/**
 * Marks some other overdue no-shows of any clinic in the caller's transaction. Their own timers then have nothing to
 * do, so that after a delay many no-shows need one transaction instead of a workflow task each.
 * @param contextOf the actor for an appointment's timeline
 */
export async function markLateNoShows(
  em: EntityManager,
  contextOf: (appointmentId: string) => CommandContext,
): Promise<MarkedNoShow[]> {
  const late = await lockLateAppointments(em, { lateSeconds: LATE_MS / 1000, limit: AT_ONCE });
  const marked: MarkedNoShow[] = [];
  for (const appointment of late) {
    const lateMs = await markWhenOverdue(em, appointment, contextOf(appointment.appointmentId));
    if (lateMs !== null) marked.push({ ...appointment, lateMs });
  }
  return marked;
}
