import type { Client } from '@temporalio/client';
import { Counter, Gauge } from 'prom-client';
import { createProcessRegistry } from '../adapters/metrics/process-metrics.ts';
import type { AttemptOutcome } from '../adapters/webhooks/webhook-client.ts';
import { findOutboxBacklog } from '../db/outbox/outbox-backlog.ts';
import type { Database } from '../db/connection/open-database.ts';
import type { Timings } from '../domain/timings.ts';
import { createOverdueGauges } from './overdue-gauges.ts';
import { createTemporalGauges } from './temporal-gauges.ts';

export interface MetricsDependencies {
  database: Database;
  client: Client;
  timings: Pick<Timings, 'noShowGraceSeconds'>;
}

export interface WorkerMetrics {
  onAttempt(outcome: AttemptOutcome): void;
  onStart(start: { workflowType: string; eager: boolean }): void;
  /** The text that Prometheus reads. */
  expose: () => Promise<string>;
}

export function createWorkerMetrics(dependencies: MetricsDependencies): WorkerMetrics {
  const { database, client, timings } = dependencies;
  const registry = createProcessRegistry(database);
  const registers = [registry];
  const attempts = new Counter({
    name: 'webhook_attempts_total',
    help: 'Attempts of webhook deliveries by outcome',
    labelNames: ['outcome', 'error_class'],
    registers,
  });
  const starts = new Counter({
    name: 'workflow_starts_total',
    help: 'Workflows started from the outbox; eager ones got their first task with the start',
    labelNames: ['workflow', 'eager'],
    registers,
  });
  const outboxGauge = (name: string, help: string) => new Gauge({ name, help, registers });
  const pending = outboxGauge('outbox_pending', 'Outbox rows not carried out yet');
  const failing = outboxGauge('outbox_failing', 'Outbox rows that have failed at least once');
  const age = outboxGauge('outbox_oldest_age_seconds', 'Age of the oldest outbox row');
  const findOverdue = createOverdueGauges(registry, database, timings.noShowGraceSeconds);
  const askTemporal = createTemporalGauges(registry, client);
  return {
    onAttempt: ({ outcome, errorClass }) => attempts.inc({ outcome, error_class: errorClass ?? 'none' }),
    onStart: ({ workflowType, eager }) => starts.inc({ workflow: workflowType, eager: String(eager) }),
    async expose() {
      const [backlog] = await Promise.all([findOutboxBacklog(database.em()), findOverdue(), askTemporal()]);
      pending.set(backlog.pending);
      failing.set(backlog.failing);
      age.set(backlog.oldestAgeSeconds);
      return registry.metrics();
    },
  };
}
