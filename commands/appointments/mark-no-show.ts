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

/** How an appointment's wait for a check-in ended; `unknown`: the clinic has no such appointment. */
export type NoShowOutcome = 'no_show' | 'checked_in' | 'cancelled' | 'rescheduled' | 'unknown';

/** @param lateMs since the grace had passed; only when the appointment was marked now */
export type NoShowFinding = { outcome: NoShowOutcome; lateMs?: number } | { notDueForMs: number };

/**
 * Makes a confirmed appointment a no-show once its grace has passed, with the event, in the caller's transaction.
 * The row decides, not the caller: one that is settled stays as it is, one that is not due says for how long.
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
  // A timer may fire a moment early; and between the two questions the grace may have passed.
  if (prospect.status === 'confirmed') return { notDueForMs: Math.max(1, Math.ceil(prospect.dueInMs)) };
  return { outcome: outcomeOf(prospect.status) };
}

/** Makes a confirmed appointment a no-show when its grace has passed; returns how late, or null when it did not. */
export async function markWhenOverdue(
  em: EntityManager,
  { tenantId, appointmentId }: LateAppointment,
  context: CommandContext,
): Promise<number | null> {
  const overdue = await lockOverdueAppointment(em, tenantId, appointmentId);
  if (!overdue) return null;
  await setAppointmentStatus(em, overdue, { status: 'no_show', reason: 'auto', edit: {} }, context);
  // The clocks of the database and of this process may differ by a little.
  return Math.max(
    0,
    context.now.getTime() - noShowDueAt(awaitedFrom(overdue.appointment), timingsOf(em)).getTime(),
  );
}

function outcomeOf(status: Exclude<AppointmentStatus, 'confirmed'>): NoShowOutcome {
  return status === 'attended' ? 'checked_in' : status;
}

/** A timer that comes so late tells that Temporal is behind, and so are the others that were due then. */
export const LATE_MS = 1000;
/** Together a fraction of a second's work, for which their check-ins have to wait. */
const AT_ONCE = 20;

export type MarkedNoShow = LateAppointment & { lateMs: number };

/**
 * Marks some of the no-shows, of every clinic, that are late as well, in the caller's transaction. Their own timers find
 * them settled. So a crowd that is due together waits for PostgreSQL, not for a workflow task each.
 * @param contextOf who marks an appointment, as its timeline tells
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
