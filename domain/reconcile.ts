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

/** What a run that had no more time has left to the next one: parts, and the position of the first after which to go on. */
export interface LeftToReconcile {
  parts: readonly ReconcilePart[];
  after: RowPosition | null;
}

export interface ReconcilePlan {
  parts: readonly ReconcilePart[];
  /** The part that does not begin with its first row, and after which it does. */
  goesOn: { part: ReconcilePart; after: RowPosition } | null;
}

/**
 * What a run does: what a run at that hour looks after, then what the run before has left.
 * @param asked in its place, as a run that continues as new is asked to go on
 * @param before the result of that run
 */
export function planReconciliation(
  asked: Partial<LeftToReconcile>,
  begunAt: Date,
  before: { left?: LeftToReconcile } | null | undefined,
): ReconcilePlan {
  const { parts: left = [], after = null } = asked.parts ? asked : (before?.left ?? {});
  const hourly = asked.parts ? [] : reconcilePartsAt(begunAt).filter((part) => !left.includes(part));
  const [part] = left;
  return { parts: [...hourly, ...left], goesOn: part && after ? { part, after } : null };
}

export function firstPosition({ goesOn }: ReconcilePlan, part: ReconcilePart): RowPosition | null {
  return goesOn?.part === part ? goesOn.after : null;
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
