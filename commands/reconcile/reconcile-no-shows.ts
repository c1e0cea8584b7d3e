import { overdueAppointments } from '../../db/reconcile/reconcile-appointments.ts';
import type { Database } from '../../db/connection/open-database.ts';
import { settledBefore, type Place } from '../../domain/reconcile.ts';
import type { CommandContext } from '../command-context.ts';
import { markWhenOverdue } from '../appointments/mark-no-show.ts';
import type { ReconciledPage } from './reconcile-rows.ts';

export interface ReconcileNoShows {
  after: Place | null;
  limit: number;
  graceSeconds: number;
}

/** Marks the next no-shows that should long have been marked, each in a transaction of its own. */
export async function reconcileNoShows(
  database: Database,
  { after, limit, graceSeconds }: ReconcileNoShows,
  context: CommandContext,
): Promise<ReconciledPage> {
  const before = settledBefore(context.now);
  const overdue = await overdueAppointments(database.em(), { after, limit, before, graceSeconds });
  let repaired = 0;
  for (const { id: appointmentId, tenantId } of overdue) {
    const appointment = { tenantId, appointmentId, graceSeconds };
    const isMarked = await database.write((em) => markWhenOverdue(em, appointment, context));
    if (isMarked) repaired += 1;
  }
  return { reached: overdue.length < limit ? null : (overdue.at(-1)?.place ?? null), repaired };
}
