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

/** docs/temporal.md#schedules. Every quarter of an hour matches 09:00 in every time zone. */
const SCHEDULES = [
  {
    scheduleId: RECALL_SCAN_SCHEDULE,
    workflowType: RECALL_SCAN_WORKFLOW,
    every: '15 minutes',
    summary: 'Patients who have had no appointment for six months',
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

/**
 * The time limit of a run, which ends a run that hangs. Longer work continues in a new run before that; the schedule's
 * next run starts from the beginning, without harm.
 */
const RUN_LIMIT = '2 hours';

/** Creates or updates the schedules; a paused one stays paused. Safe to repeat. */
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

/** The state of each schedule; `found` is null for a missing one. */
export async function findSchedules({ schedule: schedules }: Client) {
  const states = [];
  for (const { scheduleId } of SCHEDULES) {
    try {
      const { state, info } = await schedules.getHandle(scheduleId).describe();
      // The start of its last run; before the first, its creation.
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
      // A run handles everything that is due, so a parallel run would find nothing.
      overlap: 'SKIP',
      // For the same reason, one run makes up for all that an outage of Temporal skipped.
      catchupWindow: every,
    },
  };
}
