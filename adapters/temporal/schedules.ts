import {
  ScheduleAlreadyRunning,
  ScheduleNotFoundError,
  type Client,
  type ScheduleOptions,
} from '@temporalio/client';
import { RECONCILE_SUMMARY } from '../../domain/reconcile.ts';
import { RETENTION_SUMMARY } from '../../domain/retention.ts';
import {
  CLINIC_QUEUE,
  RECALL_SCAN_SCHEDULE,
  RECALL_SCAN_WORKFLOW,
  RECONCILE_SCHEDULE,
  RECONCILE_WORKFLOW,
  RETENTION_SCHEDULE,
  RETENTION_WORKFLOW,
} from '../../domain/temporal-names.ts';

/** docs/temporal.md#schedules. Quarters of an hour meet 09:00 in every time zone of the world. */
const SCHEDULES = [
  {
    scheduleId: RECALL_SCAN_SCHEDULE,
    workflowType: RECALL_SCAN_WORKFLOW,
    every: '15 minutes',
    summary: 'Patients who have not been there for six months',
  },
  {
    scheduleId: RECONCILE_SCHEDULE,
    workflowType: RECONCILE_WORKFLOW,
    every: '1 hour',
    summary: RECONCILE_SUMMARY,
  },
  {
    scheduleId: RETENTION_SCHEDULE,
    workflowType: RETENTION_WORKFLOW,
    every: '1 hour',
    summary: RETENTION_SUMMARY,
  },
] as const;

/** Ends a run that hangs. Longer work goes on in a new run before that; the next one of the schedule begins at the beginning, without harm. */
const RUN_LIMIT = '2 hours';

/** Makes the schedules, or brings them up to date; one that an operator has paused stays paused. Safe to repeat. */
export async function keepSchedules({ schedule: schedules }: Client): Promise<string[]> {
  for (const schedule of SCHEDULES) {
    const { scheduleId, ...definition } = defined(schedule);
    try {
      await schedules.create({ scheduleId, ...definition });
    } catch (error) {
      if (!(error instanceof ScheduleAlreadyRunning)) throw error;
      await schedules.getHandle(scheduleId).update(({ state }) => ({ ...definition, state }));
    }
  }
  return SCHEDULES.map(({ scheduleId }) => scheduleId);
}

export type ScheduleState = Awaited<ReturnType<typeof findSchedules>>[number];

/** How each schedule of the service stands: null is found where there is none. */
export async function findSchedules({ schedule: schedules }: Client) {
  const states = [];
  for (const { scheduleId } of SCHEDULES) {
    try {
      const { state, info } = await schedules.getHandle(scheduleId).describe();
      // When its last run began; before the first, when it was made.
      const lastAt = info.recentActions.at(-1)?.takenAt ?? info.createdAt;
      states.push({
        scheduleId,
        found: { paused: state.paused, nextAt: info.nextActionTimes[0] ?? null, lastAt },
      });
    } catch (error) {
      if (!(error instanceof ScheduleNotFoundError)) throw error;
      states.push({ scheduleId, found: null });
    }
  }
  return states;
}

function defined({ scheduleId, workflowType, every, summary }: (typeof SCHEDULES)[number]): ScheduleOptions {
  return {
    scheduleId,
    spec: { intervals: [{ every }] },
    action: {
      type: 'startWorkflow',
      workflowType,
      workflowId: scheduleId,
      taskQueue: CLINIC_QUEUE,
      args: [],
      workflowRunTimeout: RUN_LIMIT,
      staticSummary: summary,
    },
    policies: {
      // A run looks at everything that is due, so a second one beside it would find nothing.
      overlap: 'SKIP',
      // For the same reason the last of the runs that an outage of Temporal's has cost makes up for all of them.
      catchupWindow: every,
    },
  };
}
