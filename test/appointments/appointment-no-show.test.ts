import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { WorkflowHandle, WorkflowHandleWithFirstExecutionRunId } from '@temporalio/client';
import type { NoShowActivities } from '../../activities/no-show.activities.ts';
import type { NoShowFinding } from '../../commands/appointments/mark-no-show.ts';
import { CLINIC_QUEUE, NO_SHOW_WORKFLOW, noShowWorkflowId } from '../../domain/temporal-names.ts';
import { noShowDueAt, STANDARD_TIMINGS } from '../../domain/timings.ts';
import type { NoShowInput, NoShowResult } from '../../workflows/appointment-no-show.workflow.ts';
import { startTimeSkipping } from '../workflows/time-skipping.ts';
import { forSuite } from '../support/for-suite.ts';

const MINUTE_MS = 60_000;

const time = await forSuite(startTimeSkipping());

/** Stands in for the database: answers as told, and notes when it was asked. */
function aDatabaseThatAnswers(...answers: NoShowFinding[]) {
  const askedAt: number[] = [];
  const activities: NoShowActivities = {
    async markNoShow() {
      askedAt.push(await time.now());
      return answers.shift() ?? { outcome: 'no_show' };
    },
  };
  return { askedAt, activities };
}

/** The workflow of an appointment that starts in `startsInMinutes`. */
async function awaitCheckIn(startsInMinutes: number) {
  const startsAt = new Date((await time.now()) + startsInMinutes * MINUTE_MS);
  const dueAt = noShowDueAt(startsAt, STANDARD_TIMINGS);
  const appointmentId = randomUUID();
  const input: NoShowInput = { appointmentId, clinicId: randomUUID(), dueAt: dueAt.toISOString() };
  const handle: WorkflowHandleWithFirstExecutionRunId<() => Promise<NoShowResult>> =
    await time.environment.client.workflow.start(NO_SHOW_WORKFLOW, {
      taskQueue: CLINIC_QUEUE,
      workflowId: noShowWorkflowId(appointmentId),
      args: [input],
    });
  return { handle, dueAt: dueAt.getTime() };
}

test('without a check-in the database is asked once, 30 minutes after the start and not before', async () => {
  const { activities, askedAt } = aDatabaseThatAnswers({ outcome: 'no_show' });
  await time.withActivities(CLINIC_QUEUE, activities, async () => {
    const { handle, dueAt } = await awaitCheckIn(24 * 60);
    expect(await handle.result()).toEqual({ outcome: 'no_show' });
    expect(askedAt).toHaveLength(1);
    expect(askedAt[0]).toBeGreaterThanOrEqual(dueAt);
    expect(askedAt[0]).toBeLessThan(dueAt + MINUTE_MS);
  });
});

/** How many days each run of the workflow took, the first one first. */
async function runsOf({ workflowId, firstExecutionRunId }: WorkflowHandleWithFirstExecutionRunId) {
  const days: number[] = [];
  for (let runId: string | null = firstExecutionRunId; runId;) {
    const run: WorkflowHandle = time.environment.client.workflow.getHandle(workflowId, runId);
    const { startTime, closeTime } = await run.describe();
    days.push(Math.round((Number(closeTime) - Number(startTime)) / (24 * 60 * MINUTE_MS)));
    const { events } = await run.fetchHistory();
    runId = events?.at(-1)?.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId ?? null;
  }
  return days;
}

test('an appointment months ahead waits run by run, 30 days each at most, and is marked at the exact time', async () => {
  const { activities, askedAt } = aDatabaseThatAnswers({ outcome: 'no_show' });
  await time.withActivities(CLINIC_QUEUE, activities, async () => {
    const { handle, dueAt } = await awaitCheckIn(100 * 24 * 60);
    expect(await handle.result()).toEqual({ outcome: 'no_show' });
    expect(askedAt).toHaveLength(1);
    expect(askedAt[0]).toBeGreaterThanOrEqual(dueAt);
    expect(askedAt[0]).toBeLessThan(dueAt + MINUTE_MS);
    expect(await runsOf(handle)).toEqual([30, 30, 30, 10]);
  });
});

test.each([
  ['checkedIn', 'checked_in'],
  ['cancelled', 'cancelled'],
  ['rescheduled', 'rescheduled'],
])('the signal %s before the deadline ends the wait, and nothing is marked', async (signal, outcome) => {
  const { activities, askedAt } = aDatabaseThatAnswers();
  await time.withActivities(CLINIC_QUEUE, activities, async () => {
    const { handle } = await awaitCheckIn(60);
    await time.environment.sleep('89 minutes');
    await handle.signal(signal);
    expect(await handle.result()).toEqual({ outcome });
    expect(askedAt).toEqual([]);
  });
});

test('signals that are repeated or contradict each other leave the first one standing', async () => {
  const { activities } = aDatabaseThatAnswers();
  await time.withActivities(CLINIC_QUEUE, activities, async () => {
    const { handle } = await awaitCheckIn(60);
    await handle.signal('checkedIn');
    const later = ['checkedIn', 'cancelled'].map((signal) =>
      handle.signal(signal).catch((error: Error) => error.name),
    );
    for (const answer of await Promise.all(later))
      expect([undefined, 'WorkflowNotFoundError']).toContain(answer);
    expect(await handle.result()).toEqual({ outcome: 'checked_in' });
  });
});

test('a check-in whose signal was lost is found in the database', async () => {
  const { activities } = aDatabaseThatAnswers({ outcome: 'checked_in' });
  await time.withActivities(CLINIC_QUEUE, activities, async () => {
    const { handle } = await awaitCheckIn(60);
    expect(await handle.result()).toEqual({ outcome: 'checked_in' });
  });
});

test('an appointment that is not due by the database is asked for again when it is', async () => {
  const { activities, askedAt } = aDatabaseThatAnswers(
    { notDueForMs: 10 * MINUTE_MS },
    { notDueForMs: 1 },
    { outcome: 'no_show' },
  );
  await time.withActivities(CLINIC_QUEUE, activities, async () => {
    const { handle } = await awaitCheckIn(0);
    expect(await handle.result()).toEqual({ outcome: 'no_show' });
    expect(askedAt).toHaveLength(3);
    const [first = 0, second = 0] = askedAt;
    expect(second - first).toBeGreaterThanOrEqual(10 * MINUTE_MS);
  });
});

test('a check-in during the second wait ends it', async () => {
  const { activities, askedAt } = aDatabaseThatAnswers({ notDueForMs: 60 * MINUTE_MS });
  await time.withActivities(CLINIC_QUEUE, activities, async () => {
    const { handle } = await awaitCheckIn(0);
    await time.environment.sleep('45 minutes');
    await handle.signal('checkedIn');
    expect(await handle.result()).toEqual({ outcome: 'checked_in' });
    expect(askedAt).toHaveLength(1);
  });
});

test('an appointment booked after its grace is asked for at once', async () => {
  const { activities, askedAt } = aDatabaseThatAnswers({ outcome: 'no_show' });
  await time.withActivities(CLINIC_QUEUE, activities, async () => {
    const { handle, dueAt } = await awaitCheckIn(-60);
    expect(await handle.result()).toEqual({ outcome: 'no_show' });
    expect(askedAt[0]).toBeLessThan(dueAt + 31 * MINUTE_MS);
  });
});

test('a database that is away for hours is asked until it answers', async () => {
  let failures = 300;
  const activities: NoShowActivities = {
    async markNoShow() {
      if (failures-- > 0) throw new Error('the database is away');
      return { outcome: 'no_show' };
    },
  };
  await time.withActivities(CLINIC_QUEUE, activities, async () => {
    const { handle, dueAt } = await awaitCheckIn(0);
    expect(await handle.result()).toEqual({ outcome: 'no_show' });
    expect(await time.now()).toBeGreaterThan(dueAt + 4 * 60 * MINUTE_MS);
  });
});
