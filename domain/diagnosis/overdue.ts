/** A healthy worker handles due work within a second or two; anything due for longer than this is overdue. */
export const OVERDUE_AFTER_SECONDS = 60;

interface OverdueRows {
  count: number;
  /** A few ids, longest waiting first. */
  oldestIds: string[];
  /** Time since the oldest was due. */
  seconds: number;
}

/** Overdue rows with the same cause. */
export interface Overdue extends OverdueRows, InOutbox {
  /** The workflow that should process the oldest. */
  workflowId: string;
}

/** The outbox state of overdue rows. */
export interface InOutbox {
  /** Whether the row's message is in the outbox and waits for a worker. */
  isInOutbox: boolean;
  /** The last error in the outbox; null when processing was not tried or did not fail. */
  lastError: string | null;
}
