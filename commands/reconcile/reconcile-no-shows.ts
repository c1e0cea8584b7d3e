import { overdueAppointments } from '../../db/reconcile/reconcile-appointments.ts';
import type { Database } from '../../db/connection/open-database.ts';
import type { RowPosition } from '../../domain/reconcile.ts';
import type { CommandContext } from '../command-context.ts';
import { markWhenOverdue, type MarkNoShow } from '../appointments/mark-no-show.ts';
import { repairEach, type OnFailed, type ReconciledPage } from './repair-each.ts';

export interface ReconcileNoShows {
  after: RowPosition | null;
  limit: number;
  /** Those that should have been marked later are left out. */
  before: Date;
  graceSeconds: number;
  onMarked: (appointment: MarkNoShow, lateMs: number) => void;
  onFailed: OnFailed;
}

/** Marks the next no-shows that should long have been marked, each in a transaction of its own. */
export async function reconcileNoShows(
  database: Database,
  { after, limit, before, graceSeconds, onMarked, onFailed }: ReconcileNoShows,
  context: CommandContext,
): Promise<ReconciledPage> {
  const overdue = await overdueAppointments(database.em(), { after, limit, before, graceSeconds });
  const mark = async ({ id: appointmentId, tenantId }: { id: string; tenantId: string }) => {
    const appointment = { tenantId, appointmentId, graceSeconds };
    const lateMs = await database.write((em) => markWhenOverdue(em, appointment, context));
    if (lateMs === null) return 0;
    onMarked(appointment, lateMs);
    return 1;
  };
  const found = await repairEach(database, overdue, mark, onFailed);
  return { reached: overdue.length < limit ? null : (overdue.at(-1)?.position ?? null), ...found };
}
