import type { Client } from '@temporalio/client';
import { tsToMs } from '@temporalio/common/lib/time.js';
import { POLLED_QUEUES, type TaskKind } from '../../domain/temporal-names.ts';

/** `TaskQueueType` of Temporal's protocol, temporal/api/enums/v1/task_queue.proto. */
const TASK_QUEUE_TYPES = { workflow: 1, activity: 2 } as const satisfies Record<TaskKind, number>;

/**
 * The maximum age of a poll that counts. A poll lasts at most a minute, but Temporal still lists workers some minutes
 * after they have stopped.
 */
const POLLS_WITHIN_MS = 90_000;

/**
 * The number of worker processes that poll each common queue. Asks for one queue after the other, so that no call is
 * open when another has failed.
 */
export async function findPollers({ workflowService, options: { namespace } }: Client) {
  const found = [];
  for (const { taskQueue, kind } of POLLED_QUEUES) {
    const { pollers } = await workflowService.describeTaskQueue({
      namespace,
      taskQueue: { name: taskQueue },
      taskQueueType: TASK_QUEUE_TYPES[kind],
    });
    const since = Date.now() - POLLS_WITHIN_MS;
    const present = pollers.filter(({ lastAccessTime }) => tsToMs(lastAccessTime) > since);
    found.push({ taskQueue, kind, pollers: present.length });
  }
  return found;
}
