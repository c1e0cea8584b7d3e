import { setTimeout as pause } from 'node:timers/promises';
import { meter } from './processes.ts';
import type { Service } from './start-service.ts';

const LIMIT_MS = 300_000;
const LOOK_MS = 1_000;
/** Of all processors; an idle service with its engines uses 2 to 4 percent of this machine. */
const QUIET_PERCENT = 10;

/** Waits until the service has nothing left to do, so that one measurement does not pay for another's rest; whether it has. */
export async function settle(service: Service, limitMs = LIMIT_MS): Promise<boolean> {
  const deadline = performance.now() + limitMs;
  for (;;) {
    const read = await meter(service);
    await pause(LOOK_MS);
    const { serviceBusy } = await read();
    const { rows } = await service.sql.query<{ open: boolean }>('SELECT EXISTS (SELECT FROM outbox) AS open');
    const isQuiet = serviceBusy < QUIET_PERCENT && rows[0]?.open === false;
    if (isQuiet || performance.now() > deadline) return isQuiet;
  }
}
