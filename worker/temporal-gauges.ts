import type { Client } from '@temporalio/client';
import { Gauge, type Registry } from 'prom-client';
import { findFailingWorkflows } from '../adapters/temporal/failing-workflows.ts';
import { findPollers } from '../adapters/temporal/task-queue-pollers.ts';
import { POLLED_QUEUES } from '../domain/temporal-names.ts';

const CALL_LIMIT_MS = 2000;

/** What Temporal says of the workers and of their code; the returned function asks anew. What it does not tell is NaN. */
export function createTemporalGauges(registry: Registry, client: Client): () => Promise<void> {
  const registers = [registry];
  const pollers = new Gauge({
    name: 'task_queue_pollers',
    help: 'Worker processes that poll a task queue',
    labelNames: ['task_queue', 'kind'],
    registers,
  });
  const failing = new Gauge({
    name: 'workflows_failing',
    help: 'Workflows whose code fails',
    registers,
  });
  const ask = <T>(question: (client: Client) => Promise<T>): Promise<T | null> =>
    client.withDeadline(Date.now() + CALL_LIMIT_MS, () => question(client)).catch(() => null);
  return async () => {
    const [queues, workflows] = await Promise.all([ask(findPollers), ask(findFailingWorkflows)]);
    const unknown = POLLED_QUEUES.map((queue) => ({ ...queue, pollers: NaN }));
    for (const { taskQueue, kind, pollers: count } of queues ?? unknown) {
      pollers.set({ task_queue: taskQueue, kind }, count);
    }
    failing.set(workflows?.count ?? NaN);
  };
}
