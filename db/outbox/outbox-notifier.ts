import { setTimeout as delay } from 'node:timers/promises';
import type { EntityManager } from '@mikro-orm/postgresql';

export const OUTBOX_CHANNEL = 'outbox';

/** Under load the dispatcher finds many rows at a time anyway. */
const MAX_QUIET_MS = 10;
/** What it speaks of is safe already, so its own commit waits for no disk. */
const NOTIFY = `SELECT set_config('synchronous_commit', 'off', true), pg_notify('${OUTBOX_CHANNEL}', '')`;

/**
 * Wakes the dispatcher after a commit: the first at once; then it is quiet for as many milliseconds as commits have come meanwhile,
 * 10 at most, and speaks for all of them, because NOTIFY takes a database-wide lock while it commits. So one of few waits for
 * no one, and thousands a second are told of a hundred times. Best effort: the dispatcher polls every second all the same.
 */
export function createOutboxNotifier(connect: () => EntityManager) {
  let notifying: Promise<void> | null = null;
  let untold = 0;

  async function notify(): Promise<void> {
    while (untold > 0) {
      const told = untold;
      untold = 0;
      // A lost wake-up costs at most one polling interval; the commit it speaks of is already safe.
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
