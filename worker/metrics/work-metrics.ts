import { Counter, Histogram, type Registry } from 'prom-client';
import type { ActivityDependencies } from '../../activities/activity-dependencies.ts';
import { RECONCILE_PARTS } from '../../domain/reconcile.ts';
import { RETENTION_CLASSES } from '../../domain/retention.ts';
import type { CarryOutOptions } from '../temporal/carry-out.ts';

/** Told of what this process has done. */
export type WorkMetrics = Pick<CarryOutOptions, 'onStart'> &
  Pick<ActivityDependencies, 'onNoShow' | 'onReconciled' | 'onPruned'>;

/** Seconds. Timers fire within one; reconciliation marks what is minutes late. */
const LATENESS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 3600];

export function createWorkMetrics(registry: Registry): WorkMetrics {
  const registers = [registry];
  const starts = new Counter({
    name: 'workflow_starts_total',
    help: 'Workflows started from the outbox; eager ones got their first task with the start',
    labelNames: ['workflow', 'eager'],
    registers,
  });
  const lateness = new Histogram({
    name: 'no_show_lateness_seconds',
    help: 'From the end of the grace to the mark',
    buckets: LATENESS,
    registers,
  });
  const ofPart = (name: string, help: string) => {
    const counter = new Counter({ name, help, labelNames: ['part'], registers });
    for (const part of RECONCILE_PARTS) counter.inc({ part }, 0);
    return counter;
  };
  const repairs = ofPart('reconcile_repaired_total', 'What reconciliation has put right');
  const failures = ofPart('reconcile_failed_total', 'Rows that reconciliation could not put right');
  const pruned = new Counter({
    name: 'retention_pruned_total',
    help: 'Rows that have gone, or lost what was kept long enough',
    labelNames: ['class'],
    registers,
  });
  for (const each of RETENTION_CLASSES) pruned.inc({ class: each }, 0);
  return {
    onStart: ({ workflowType, eager }) => starts.inc({ workflow: workflowType, eager: String(eager) }),
    onNoShow: ({ lateMs }) => lateness.observe(lateMs / 1000),
    onReconciled({ part, repaired, failed }) {
      repairs.inc({ part }, repaired);
      failures.inc({ part }, failed);
    },
    onPruned: (done) => pruned.inc({ class: done.class }, done.pruned),
  };
}
