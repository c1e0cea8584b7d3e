import { setTimeout as pause } from 'node:timers/promises';
import { meter } from './processes.ts';
import type { Service } from './start-service.ts';

const LIMIT_MS = 300_000;
const LOOK_MS = 1_000;
/** Of all processors; an idle service with its engines uses 2 to 4 percent of this machine. */
const QUIET_PERCENT = 10;

/** Waits until the service has nothing left to do; whether it has. */
export async function settle(service: Service, limitMs = LIMIT_MS): Promise<boolean> {
  return untilQuiet(service, limitMs, ({ isBusy, urgent, timers }) => !isBusy && !urgent && !timers);
}

/**
 * Waits until nothing is left but timers that are started at a pace of their own, so that one measurement does not pay for
 * another's rest; whether it is so.
 */
export async function settleButTimers(service: Service): Promise<boolean> {
  return untilQuiet(service, LIMIT_MS, ({ isBusy, urgent, timers }) => !urgent && (timers || !isBusy));
}

/** What is left in the outbox, and whether the processors are at work. */
interface Rest {
  isBusy: boolean;
  urgent: boolean;
  timers: boolean;
}

async function untilQuiet(
  service: Service,
  limitMs: number,
  isQuiet: (rest: Rest) => boolean,
): Promise<boolean> {
  const deadline = performance.now() + limitMs;
  for (;;) {
    const read = await meter(service);
    await pause(LOOK_MS);
    const isBusy = (await read()).serviceBusy >= QUIET_PERCENT;
    const { rows } = await service.sql.query<{ isTimer: boolean }>(
      `SELECT DISTINCT message ->> 'kind' = 'startNoShow' AS "isTimer" FROM outbox`,
    );
    const timers = rows.some(({ isTimer }) => isTimer);
    const urgent = rows.some(({ isTimer }) => !isTimer);
    const found = isQuiet({ isBusy, urgent, timers });
    if (found || performance.now() > deadline) return found;
  }
}
