import { setTimeout as delay } from 'node:timers/promises';
import type { EntityManager } from '@mikro-orm/postgresql';

export const OUTBOX_CHANNEL = 'outbox';

/** Under load the dispatcher finds many rows at a time anyway. */
const QUIET_MS = 10;
/** What it speaks of is safe already, so its own commit waits for no disk. */
const NOTIFY = `SELECT set_config('synchronous_commit', 'off', true), pg_notify('${OUTBOX_CHANNEL}', '')`;

/**
 * Wakes the dispatcher after a commit: the first at once, those of the next 10 ms together, because NOTIFY takes a
 * database-wide lock while it commits. Best effort: the dispatcher polls every second all the same.
 */
export function createOutboxNotifier(connect: () => EntityManager) {
  let notifying: Promise<void> | null = null;
  let again = false;

  async function notify(): Promise<void> {
    do {
      again = false;
      // A lost wake-up costs at most one polling interval; the commit it speaks of is already safe.
      await connect()
        .execute(NOTIFY)
        .catch(() => undefined);
      await delay(QUIET_MS);
    } while (again);
    notifying = null;
  }

  return {
    notify(): void {
      if (notifying) again = true;
      else notifying = notify();
    },
    async settled(): Promise<void> {
      await notifying;
    },
  };
}
