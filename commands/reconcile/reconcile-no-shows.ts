import { overdueAppointments } from '../../db/reconcile/reconcile-appointments.ts';
import type { RowPosition } from '../../domain/reconcile.ts';
import type { CommandContext } from '../command-context.ts';
import { markWhenOverdue } from '../appointments/mark-no-show.ts';
import { reachedBy, repairEach, type ReconciledPage, type Reconciliation } from './repair-each.ts';

/** Marks the next no-shows that should long have been marked, each in a transaction of its own. */
export async function reconcileNoShows(
  reconciliation: Reconciliation,
  after: RowPosition | null,
  context: CommandContext,
): Promise<ReconciledPage> {
  const { database, limit, before, timings, onMarked } = reconciliation;
  const { noShowGraceSeconds: graceSeconds } = timings;
  const overdue = await overdueAppointments(database.em(), { after, limit, before, graceSeconds });
  const mark = async ({ id: appointmentId, tenantId }: { id: string; tenantId: string }) => {
    const appointment = { tenantId, appointmentId, graceSeconds };
    const lateMs = await database.write((em) => markWhenOverdue(em, appointment, context));
    if (lateMs === null) return 0;
    onMarked(appointment, lateMs);
    return 1;
  };
  const found = await repairEach(reconciliation, 'overdueNoShows', overdue, mark);
  return { reached: reachedBy(overdue, limit), ...found };
}
