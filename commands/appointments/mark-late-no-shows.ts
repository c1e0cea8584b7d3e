import { lockLateAppointments, type LateAppointment } from '../../db/appointments/no-show-prospect.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import type { CommandContext } from '../command-context.ts';
import { markWhenOverdue } from './mark-no-show.ts';

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
  graceSeconds: number,
  contextOf: (appointmentId: string) => CommandContext,
): Promise<MarkedNoShow[]> {
  const late = await lockLateAppointments(em, { graceSeconds, lateSeconds: LATE_MS / 1000, limit: AT_ONCE });
  const marked: MarkedNoShow[] = [];
  for (const appointment of late) {
    const lateMs = await markWhenOverdue(
      em,
      { ...appointment, graceSeconds },
      contextOf(appointment.appointmentId),
    );
    if (lateMs !== null) marked.push({ ...appointment, lateMs });
  }
  return marked;
}
