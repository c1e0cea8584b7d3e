import { setTimeout as delay } from 'node:timers/promises';
import type { EntityManager } from '@mikro-orm/postgresql';

export const OUTBOX_CHANNEL = 'outbox';

/** The longest pause between notifications. At high load, the dispatcher finds many rows at a time anyway. */
const MAX_QUIET_MS = 10;
/** The announced work is already committed, so the notification's own commit does not wait for the disk. */
const NOTIFY = `SELECT set_config('synchronous_commit', 'off', true), pg_notify('${OUTBOX_CHANNEL}', '')`;

/**
 * Wakes the dispatcher after a commit. The first notification goes out at once; then it waits one millisecond per
 * commit that arrived meanwhile, 10 at most, and announces them together, because NOTIFY takes a database-wide lock
 * while it commits. A single commit never waits, and thousands of commits per second cause about a hundred
 * notifications. A lost notification does no harm, because the dispatcher polls every second.
 */
export function createOutboxNotifier(connect: () => EntityManager) {
  let notifying: Promise<void> | null = null;
  let untold = 0;

  async function notify(): Promise<void> {
    while (untold > 0) {
      const told = untold;
      untold = 0;
      // A lost wake-up costs at most one polling interval.
      await connect()
        .execute(NOTIFY)
        .catch(() => undefined);
      await delay(Math.min(told, MAX_QUIET_MS));
    }
    notifying = null;
  }

  return {
    notify(): void {
      untold += 1;
      notifying ??= notify();
    },
    async settled(): Promise<void> {
      await notifying;
    },
  };
}
