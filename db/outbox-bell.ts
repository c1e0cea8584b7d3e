import type { EntityManager } from '@mikro-orm/postgresql';

export const OUTBOX_CHANNEL = 'outbox';

/**
 * Wakes the dispatcher after a commit. At most one NOTIFY is under way and one waiting, whatever the traffic, because
 * NOTIFY takes a database-wide lock while it commits. Best effort: the dispatcher polls every second all the same.
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
