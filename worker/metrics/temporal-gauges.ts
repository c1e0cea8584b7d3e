import type { Client } from '@temporalio/client';
import { Gauge, type Registry } from '@prometheus-io/client';
import { createCachedAnswer } from '../../adapters/timing/cached-answer.ts';
import { findFailingWorkflows } from '../../adapters/temporal/failing-workflows.ts';
import { findSchedules, type ScheduleState } from '../../adapters/temporal/schedules.ts';
import { findPollers } from '../../adapters/temporal/task-queue-pollers.ts';
import {
  POLLED_QUEUES,
  RECALL_SCAN_SCHEDULE,
  RECONCILE_SCHEDULE,
  RETENTION_SCHEDULE,
} from '../../domain/temporal-names.ts';
import type { TemporalDoor } from '../temporal/temporal-door.ts';

const CALL_LIMIT_MS = 2000;
/** Limits how often Temporal is asked. An unavailable Temporal must not make the worker look unavailable. */
const TIMES = { deadlineMs: 2 * CALL_LIMIT_MS, freshMs: 5000, patienceMs: 500 };

/**
 * Creates gauges for what Temporal reports about workers, their code and the schedules, and returns the function that
 * asks again. Unknown values are NaN.
 */
export function createTemporalGauges(registry: Registry, temporal: Pick<TemporalDoor, 'client'>) {
  const gauges = defineGauges(registry);
  const steady = <T>(question: (client: Client) => Promise<T>) =>
    createCachedAnswer(async () => {
      const client = temporal.client();
      return client.withDeadline(Date.now() + CALL_LIMIT_MS, () => question(client));
    }, TIMES);
  const askPollers = steady(findPollers);
  const askFailing = steady(findFailingWorkflows);
  const askSchedules = steady(findSchedules);
  return async () => {
    const [queues, workflows, schedules] = await Promise.all([askPollers(), askFailing(), askSchedules()]);
    gauges.up.set(queues ? 1 : 0);
    for (const { taskQueue, kind, pollers } of queues ?? UNKNOWN_QUEUES) {
      gauges.pollers.set({ task_queue: taskQueue, kind }, pollers);
    }
    gauges.failing.set(workflows?.count ?? NaN);
    for (const { schedule, paused, age } of schedules?.map(toSample) ?? UNKNOWN_SCHEDULES) {
      gauges.paused.set({ schedule }, paused);
      gauges.age.set({ schedule }, age);
    }
  };
}

const UNKNOWN_QUEUES = POLLED_QUEUES.map((queue) => ({ ...queue, pollers: NaN }));
const UNKNOWN_SCHEDULES = [RECALL_SCAN_SCHEDULE, RECONCILE_SCHEDULE, RETENTION_SCHEDULE].map((schedule) => ({
  schedule,
  paused: NaN,
  age: NaN,
}));

/** A missing schedule counts as paused. */
function toSample({ scheduleId: schedule, found }: ScheduleState) {
  if (!found) return { schedule, paused: 1, age: NaN };
  return { schedule, paused: found.paused ? 1 : 0, age: (Date.now() - found.lastAt.getTime()) / 1000 };
}

function defineGauges(registry: Registry) {
  const registers = [registry];
  return {
    up: new Gauge({ name: 'temporal_up', help: 'Whether Temporal responds to this process', registers }),
    pollers: new Gauge({
      name: 'task_queue_pollers',
      help: 'Worker processes that poll a task queue',
      labelNames: ['task_queue', 'kind'],
      registers,
    }),
    failing: new Gauge({ name: 'workflows_failing', help: 'Workflows whose code fails', registers }),
    paused: new Gauge({
      name: 'schedule_paused',
      help: 'Whether the schedule is paused or missing',
      labelNames: ['schedule'],
      registers,
    }),
    age: new Gauge({
      name: 'schedule_age_seconds',
      help: 'Seconds since the last run of the schedule began, or since the schedule was created',
      labelNames: ['schedule'],
      registers,
    }),
  };
}
