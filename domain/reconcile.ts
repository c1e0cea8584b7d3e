/** What operators read of it in Temporal. */
export const RECONCILE_SUMMARY = 'Workflows that are missing, no-shows that are overdue';

/** What every reconciliation looks after, in this order; the last part only the first one of a day. */
export const RECONCILE_PARTS = [
  'overdueNoShows',
  'appointments',
  'deliveries',
  'endpoints',
  'replays',
  'farAppointments',
] as const;
export type ReconcilePart = (typeof RECONCILE_PARTS)[number];

/** What the reconciliation that begins then looks after. */
export function reconcilePartsAt(begunAt: Date): readonly ReconcilePart[] {
  return begunAt.getUTCHours() === 0 ? RECONCILE_PARTS : RECONCILE_PARTS.slice(0, -1);
}

/** Rows whose workflow has to run. */
export type RowsWithWorkflow = Exclude<ReconcilePart, 'overdueNoShows'>;

/** A position in the order in which a part's rows are read: the values that the rows are sorted by, as text. */
export type RowPosition = readonly [string, string];

/** What is younger may still be on its way to Temporal. */
const SETTLING_SECONDS = 300;

/** Rows from before this instant have had the time to get their workflow, or to be marked by it. */
export function settledBefore(now: Date): Date {
  return new Date(now.getTime() - SETTLING_SECONDS * 1000);
}
