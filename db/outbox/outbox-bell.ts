import { setTimeout as delay } from 'node:timers/promises';
import type { EntityManager } from '@mikro-orm/postgresql';

export const OUTBOX_CHANNEL = 'outbox';

/** Under load the dispatcher finds many rows at a time anyway. */
const QUIET_MS = 10;

/**
 * Wakes the dispatcher after a commit: the first at once, those of the next 10 ms together, because NOTIFY takes a
 * database-wide lock while it commits. Best effort: the dispatcher polls every second all the same.
 */
export function createOutboxBell(connect: () => EntityManager) {
  let ringing: Promise<void> | null = null;
  let again = false;

  async function notify(): Promise<void> {
    do {
      again = false;
      // A lost wake-up costs at most one polling interval; the commit it speaks of is already safe.
      await connect()
        .execute(`NOTIFY ${OUTBOX_CHANNEL}`)
        .catch(() => undefined);
      await delay(QUIET_MS);
    } while (again);
    ringing = null;
  }

  return {
    ring(): void {
      if (ringing) again = true;
      else ringing = notify();
    },
    async settled(): Promise<void> {
      await ringing;
    },
  };
}
