/** Shown to operators in Temporal. */
export const RECONCILE_SUMMARY = 'Starts missing workflows and marks overdue no-shows';

/** The parts of a reconciliation, in order; the last one only once a day. */
export const RECONCILE_PARTS = [
  'overdueNoShows',
  'appointments',
  'deliveries',
  'endpoints',
  'replays',
  'farAppointments',
] as const;
export type ReconcilePart = (typeof RECONCILE_PARTS)[number];

/** The parts of a reconciliation that starts at this time. */
export function reconcilePartsAt(begunAt: Date): readonly ReconcilePart[] {
  return begunAt.getUTCHours() === 0 ? RECONCILE_PARTS : RECONCILE_PARTS.slice(0, -1);
}

/** Rows that need a running workflow. */
export type RowsWithWorkflow = Exclude<ReconcilePart, 'overdueNoShows'>;

/** A position in a part's rows: the sort values as text. */
export type RowPosition = readonly [string, string];

/** Rows younger than this may still be on their way to Temporal. */
const SETTLING_SECONDS = 300;

/** Rows from before this time should have a running workflow or be marked as no-shows. */
export function settledBefore(now: Date): Date {
  return new Date(now.getTime() - SETTLING_SECONDS * 1000);
}
