/** A healthy worker needs a second or two for what is due. Whatever has been due for longer than this is overdue. */
export const OVERDUE_AFTER_SECONDS = 60;

/** Rows that wait for the same thing, though it has been due for more than `OVERDUE_AFTER_SECONDS`. */
export interface Overdue {
  count: number;
  /** At most three, the one that has waited longest first. */
  oldestIds: string[];
  /** Since the oldest was due. */
  seconds: number;
  /** That should carry the oldest on. */
  workflowId: string;
  /** The oldest is in the outbox, where a worker has to take it. */
  isInOutbox: boolean;
  /** Why the oldest could not be carried out from there; null when it was not tried or did not fail. */
  lastError: string | null;
}
