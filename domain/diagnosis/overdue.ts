/** A healthy worker needs a second or two for what is due. Whatever has been due for longer than this is overdue. */
export const OVERDUE_AFTER_SECONDS = 60;

interface OverdueRows {
  count: number;
  /** At most a few, the one that has waited longest first. */
  oldestIds: string[];
  /** Since the oldest was due. */
  seconds: number;
}

/** Rows that wait for the same thing, though it has been due for more than `OVERDUE_AFTER_SECONDS`. */
export interface Overdue extends OverdueRows, InOutbox {
  /** That should carry the oldest on. */
  workflowId: string;
}

/** Rows of which the outbox holds the same, each with a workflow of its own. */
export interface OverdueGroup extends OverdueRows, InOutbox {
  /** That should carry the oldest on, in their order. */
  workflowIds: string[];
}

/** What the outbox holds of what is overdue. */
export interface InOutbox {
  /** It is in the outbox, where a worker has to take it. */
  isInOutbox: boolean;
  /** Why it could not be carried out from there; null when it was not tried or did not fail. */
  lastError: string | null;
}
