import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { WorkflowHandleWithFirstExecutionRunId } from '@temporalio/client';
import type { DeliveryReport } from '../../sending/delivery-report.ts';
import type { DeliveryActivities } from '../../activities/delivery.activities.ts';
import { nextAttemptAt } from '../../domain/webhooks/retry-schedule.ts';
import { DELIVERY_WORKFLOW, WEBHOOK_DELIVERY_QUEUE } from '../../domain/temporal-names.ts';
import { STANDARD_TIMINGS } from '../../domain/timings.ts';
import type { DeliveryInput, DeliveryResult } from '../../workflows/webhook-delivery.workflow.ts';
import { startTimeSkipping } from '../workflows/time-skipping.ts';
import { forSuite } from '../support/for-suite.ts';

const SECOND_MS = 1000;
const DELAYS = STANDARD_TIMINGS.retryDelaysSeconds;
const TOTAL_SECONDS = 14 * 3600 + 35 * 60 + 30;

const time = await forSuite(startTimeSkipping());

interface Rows {
  attempts: { number: number; at: number }[];
  report: DeliveryReport;
}

/** Stands in for the receiver and the rows: attempt n fails unless it is `succeedsAt`. */
function aReceiver({ succeedsAt = Infinity, made = 0, dueAt = '' } = {}) {
  const rows: Rows = {
    attempts: [],
    report: { status: 'retrying', attempts: made, lastOutcome: 'http_5xx (503)', nextAttemptAt: dueAt },
  };
  const activities: DeliveryActivities = {
    async attemptDelivery({ number }) {
      if (number <= rows.report.attempts || rows.report.status !== 'retrying') return rows.report;
      const at = await time.now();
      rows.attempts.push({ number, at });
      rows.report = await verdict(number, number === succeedsAt);
      return rows.report;
    },
    async recordAttempt({ made }) {
      rows.attempts.push({ number: made.number, at: await time.now() });
      rows.report = await verdict(made.number, made.outcome === 'succeeded');
      return rows.report;
    },
    reviewDelivery: async () => rows.report,
  };
  return { rows, activities };
}

async function verdict(number: number, succeeded: boolean): Promise<DeliveryReport> {
  if (succeeded) return { status: 'succeeded', attempts: number, lastOutcome: 'succeeded' };
  const next = nextAttemptAt(number, new Date(await time.now()), DELAYS);
  const facts = { attempts: number, lastOutcome: 'http_5xx (503)' };
  return next
    ? { ...facts, status: 'retrying', nextAttemptAt: next.toISOString() }
    : { ...facts, status: 'failed' };
}

async function deliver(
  attempted: Pick<DeliveryInput, 'first' | 'unrecorded'> = {},
): Promise<WorkflowHandleWithFirstExecutionRunId<() => Promise<DeliveryResult>>> {
  return time.environment.client.workflow.start(DELIVERY_WORKFLOW, {
    taskQueue: WEBHOOK_DELIVERY_QUEUE,
    workflowId: `delivery:${randomUUID()}`,
    args: [{ deliveryId: randomUUID(), clinicId: randomUUID(), ...attempted }],
  });
}

/** The same receiver behind an endpoint with its share of attempts under way: attempt `number` is put off so many times. */
function deferring(
  activities: DeliveryActivities,
  times: Record<number, number>,
  told: { askAgainMs?: number } = {},
) {
  const asked: { number: number; at: number; wasPutOff: boolean }[] = [];
  const deferred: DeliveryActivities = {
    ...activities,
    async attemptDelivery(input) {
      const standing = await activities.reviewDelivery(input);
      const number = standing.attempts + 1;
      const left = times[number] ?? 0;
      if (input.number < number || standing.status !== 'retrying' || left === 0)
        return activities.attemptDelivery(input);
      times[number] = left - 1;
      asked.push({ number, at: await time.now(), wasPutOff: input.wasPutOff ?? false });
      return { status: 'deferred', attempts: standing.attempts, ...told };
    },
  };
  return { asked, activities: deferred };
}

/** Whole seconds between the attempts; the clock also runs a little by itself, never backwards. */
function gaps({ attempts }: Rows): number[] {
  return attempts.slice(1).map(({ at }, index) => {
    const gapMs = at - (attempts[index]?.at ?? 0);
    const late = gapMs % SECOND_MS;
    return (gapMs - late) / SECOND_MS;
  });
}

function within(activities: DeliveryActivities, story: () => Promise<void>): Promise<void> {
  return time.withActivities(WEBHOOK_DELIVERY_QUEUE, activities, story);
}

test('a receiver that always fails gets six attempts, at 0, 30 s, 5 min, 30 min, 2 h and 12 h', async () => {
  const { rows, activities } = aReceiver();
  await within(activities, async () => {
    const handle = await deliver();
    expect(await handle.result()).toEqual({ outcome: 'failed', attempts: 6 });
    expect(rows.attempts.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6]);
    for (const [index, gap] of gaps(rows).entries()) {
      const wanted = DELAYS[index] ?? 0;
      expect(gap).toBeGreaterThanOrEqual(wanted);
      expect(gap).toBeLessThan(wanted + 15);
    }
    const [first, last] = [rows.attempts[0]?.at ?? 0, rows.attempts[5]?.at ?? 0];
    expect(last - first).toBeGreaterThanOrEqual(TOTAL_SECONDS * SECOND_MS);
  });
});

test('a delivery that succeeds at once makes one attempt', async () => {
  const { rows, activities } = aReceiver({ succeedsAt: 1 });
  await within(activities, async () => {
    const handle = await deliver();
    expect(await handle.result()).toEqual({ outcome: 'succeeded', attempts: 1 });
    expect(rows.attempts).toHaveLength(1);
  });
});

test('retryNow brings the next attempt forward and adds none', async () => {
  const { rows, activities } = aReceiver();
  await within(activities, async () => {
    const handle = await deliver();
    await time.environment.sleep('10 seconds');
    await handle.signal('retryNow');
    expect(await handle.result()).toEqual({ outcome: 'failed', attempts: 6 });
    const [second = 0, third = 0, ...later] = gaps(rows);
    expect(second).toBeLessThan(30);
    expect(third).toBeGreaterThanOrEqual(300);
    expect(later).toHaveLength(3);
  });
});

test('retryNow pressed many times adds no attempt', async () => {
  const { rows, activities } = aReceiver();
  await within(activities, async () => {
    const handle = await deliver();
    await time.environment.sleep('40 seconds');
    expect(rows.attempts).toHaveLength(2);
    await Promise.all([1, 2, 3].map(() => handle.signal('retryNow')));
    expect(await handle.result()).toEqual({ outcome: 'failed', attempts: 6 });
    expect(rows.attempts).toHaveLength(6);
  });
});

test('a stopped delivery makes no more attempts', async () => {
  const { rows, activities } = aReceiver();
  await within(activities, async () => {
    const handle = await deliver();
    await time.environment.sleep('10 seconds');
    rows.report = { status: 'skipped', attempts: 1, lastOutcome: 'http_5xx (503)' };
    await handle.signal('stop');
    expect(await handle.result()).toEqual({ outcome: 'skipped', attempts: 1 });
  });
});

test('a stop without a reason in the rows changes nothing', async () => {
  const { rows, activities } = aReceiver({ succeedsAt: 2 });
  await within(activities, async () => {
    const handle = await deliver();
    await time.environment.sleep('10 seconds');
    await handle.signal('stop');
    expect(await handle.result()).toEqual({ outcome: 'succeeded', attempts: 2 });
    expect(gaps(rows)[0]).toBeGreaterThanOrEqual(30);
  });
});

test('a stop that was lost is noticed at the next attempt', async () => {
  const { rows, activities } = aReceiver();
  await within(activities, async () => {
    const handle = await deliver();
    await time.environment.sleep('10 seconds');
    rows.report = { status: 'skipped', attempts: 1, lastOutcome: 'http_5xx (503)' };
    expect(await handle.result()).toEqual({ outcome: 'skipped', attempts: 1 });
    expect(rows.attempts).toHaveLength(1);
  });
});

test('a restarted workflow continues from the attempts in the rows', async () => {
  const startedAt = await time.now();
  const dueAt = new Date(startedAt + 600 * SECOND_MS).toISOString();
  const { rows, activities } = aReceiver({ made: 3, dueAt });
  await within(activities, async () => {
    const handle = await deliver();
    expect(await handle.result()).toEqual({ outcome: 'failed', attempts: 6 });
    expect(rows.attempts.map(({ number }) => number)).toEqual([4, 5, 6]);
    expect(rows.attempts[0]?.at).toBeGreaterThanOrEqual(startedAt + 600 * SECOND_MS);
  });
});

test('a fault of our own is tried again without touching the numbers of the attempts', async () => {
  const { rows, activities } = aReceiver({ succeedsAt: 2 });
  let faults = 3;
  const faulty: DeliveryActivities = {
    ...activities,
    attemptDelivery: (input) => {
      if (faults-- > 0) throw new Error('the database is away');
      return activities.attemptDelivery(input);
    },
  };
  await within(faulty, async () => {
    const handle = await deliver();
    expect(await handle.result()).toEqual({ outcome: 'succeeded', attempts: 2 });
    expect(rows.attempts.map(({ number }) => number)).toEqual([1, 2]);
  });
});

test('a first attempt that has failed is followed by the second exactly 30 s after its end', async () => {
  const endedAt = await time.now();
  const nextAttemptAt = new Date(endedAt + 30 * SECOND_MS).toISOString();
  const first = { status: 'retrying', attempts: 1, lastOutcome: 'http_5xx (503)', nextAttemptAt } as const;
  const { rows, activities } = aReceiver({ made: 1, dueAt: nextAttemptAt });
  await within(activities, async () => {
    const handle = await deliver({ first });
    expect(await handle.result()).toEqual({ outcome: 'failed', attempts: 6 });
    expect(rows.attempts.map(({ number }) => number)).toEqual([2, 3, 4, 5, 6]);
    const waitedMs = (rows.attempts[0]?.at ?? 0) - endedAt;
    expect(waitedMs).toBeGreaterThanOrEqual(30 * SECOND_MS);
    expect(waitedMs).toBeLessThan(45 * SECOND_MS);
  });
});

test('a first attempt that has succeeded leaves nothing to do', async () => {
  const { rows, activities } = aReceiver();
  await within(activities, async () => {
    const handle = await deliver({ first: { status: 'succeeded', attempts: 1, lastOutcome: 'succeeded' } });
    expect(await handle.result()).toEqual({ outcome: 'succeeded', attempts: 1 });
    expect(rows.attempts).toEqual([]);
  });
});

test('an outcome that the database did not take is recorded before anything else, and not made again', async () => {
  const { rows, activities } = aReceiver();
  const made = {
    number: 1,
    outcome: 'failed',
    errorClass: 'http_5xx',
    responseStatus: 503,
    durationMs: 5,
    startedAt: new Date(await time.now()).toISOString(),
  } as const;
  await within(activities, async () => {
    const handle = await deliver({ unrecorded: made });
    expect(await handle.result()).toEqual({ outcome: 'failed', attempts: 6 });
    expect(rows.attempts.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(gaps(rows)[0]).toBeGreaterThanOrEqual(30);
  });
});

test('a database whose clock is behind the engine’s is asked twice for an attempt, not all the time until it is due', async () => {
  const behindMs = 10 * SECOND_MS;
  const { rows, activities } = aReceiver({ succeedsAt: 3 });
  let asked = 0;
  const behind: DeliveryActivities = {
    ...activities,
    async attemptDelivery(input) {
      asked += 1;
      const { report } = rows;
      if (report.status !== 'retrying' || report.attempts === 0) return activities.attemptDelivery(input);
      const notDueForMs = Date.parse(report.nextAttemptAt) + behindMs - (await time.now());
      return notDueForMs > 0 ? { ...report, notDueForMs } : activities.attemptDelivery(input);
    },
  };
  await within(behind, async () => {
    const handle = await deliver();
    expect(await handle.result()).toEqual({ outcome: 'succeeded', attempts: 3 });
    expect(rows.attempts.map(({ number }) => number)).toEqual([1, 2, 3]);
    expect(asked).toBeLessThanOrEqual(5);
    expect(gaps(rows)[0]).toBeGreaterThanOrEqual(40);
  });
});

test('an attempt that is put off is asked for again when there is room, and counts as no attempt', async () => {
  const { rows, activities } = aReceiver();
  const { asked, activities: busy } = deferring(activities, { 2: 1 });
  await within(busy, async () => {
    const handle = await deliver();
    await time.environment.sleep('31 seconds');
    expect(asked).toHaveLength(1);
    await handle.signal('room');
    await time.environment.sleep('1 second');
    expect(rows.attempts.map(({ number }) => number)).toEqual([1, 2]);
    expect(await handle.result()).toEqual({ outcome: 'failed', attempts: 6 });
  });
});

test('an attempt that no one tells of room is asked for again after half a minute', async () => {
  const { rows, activities } = aReceiver();
  const { asked, activities: busy } = deferring(activities, { 1: 2, 2: 3 });
  await within(busy, async () => {
    const handle = await deliver();
    expect(await handle.result()).toEqual({ outcome: 'failed', attempts: 6 });
    expect(asked.map(({ number }) => number)).toEqual([1, 1, 2, 2, 2]);
    expect(rows.attempts.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6]);
    const wanted = DELAYS.map((delay, index) => (index === 0 ? delay + 3 * 30 : delay));
    for (const [index, gap] of gaps(rows).entries()) {
      expect(gap).toBeGreaterThanOrEqual(wanted[index] ?? 0);
      expect(gap).toBeLessThan((wanted[index] ?? 0) + 15);
    }
  });
});

test('an attempt that waits behind many is requested again as late as the deferral said', async () => {
  const { rows, activities } = aReceiver({ succeedsAt: 2 });
  const { asked, activities: busy } = deferring(activities, { 2: 2 }, { askAgainMs: 600 * SECOND_MS });
  await within(busy, async () => {
    const handle = await deliver();
    expect(await handle.result()).toEqual({ outcome: 'succeeded', attempts: 2 });
    expect(asked.map(({ wasPutOff }) => wasPutOff)).toEqual([false, true]);
    expect(gaps(rows)[0]).toBeGreaterThanOrEqual(30 + 2 * 600);
  });
});

test('a delivery that is put off for long goes on in new runs with short histories, and makes its attempts', async () => {
  const { rows, activities } = aReceiver({ succeedsAt: 3 });
  const { asked, activities: busy } = deferring(activities, { 2: 110 });
  await within(busy, async () => {
    const handle = await deliver();
    const first = time.environment.client.workflow.getHandle(handle.workflowId, handle.firstExecutionRunId);
    expect(await handle.result()).toEqual({ outcome: 'succeeded', attempts: 3 });
    expect(asked).toHaveLength(110);
    expect(rows.attempts.map(({ number }) => number)).toEqual([1, 2, 3]);
    expect(gaps(rows)[1]).toBeGreaterThanOrEqual(300);
    const { events } = await first.fetchHistory();
    expect(events?.length).toBeLessThan(1500);
    expect(events?.at(-1)?.workflowExecutionContinuedAsNewEventAttributes).toBeTruthy();
  });
});

test('a delivery that is stopped while it is put off ends without an attempt', async () => {
  const { rows, activities } = aReceiver();
  const { activities: busy } = deferring(activities, { 1: Infinity });
  await within(busy, async () => {
    const handle = await deliver();
    await time.environment.sleep('20 seconds');
    rows.report = { status: 'skipped', attempts: 0, lastOutcome: 'none' };
    await handle.signal('stop');
    expect(await handle.result()).toEqual({ outcome: 'skipped', attempts: 0 });
    expect(rows.attempts).toEqual([]);
  });
});
