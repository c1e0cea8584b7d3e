import type { Logger } from '../adapters/logs/logger.ts';
import type { Mailer } from '../adapters/mail/mailer.ts';
import type { RunningWorkflows } from '../adapters/temporal/running-workflows.ts';
import type { Repairs } from '../commands/reconcile/reconcile-page.ts';
import type { Database } from '../db/connection/open-database.ts';
import type { ReconcilePart } from '../domain/reconcile.ts';
import type { RetentionClass, RetentionDays } from '../domain/retention.ts';

/** What all activities need; each one picks the part that it uses. */
export interface ActivityDependencies {
  database: Database;
  /** Null when this deployment sends no mail. */
  mailer: Mailer | null;
  runningWorkflows: RunningWorkflows;
  retention: RetentionDays;
  logger: Logger;
  clock: () => Date;
  /** Called after a no-show was marked. `lateMs`: time since the grace period ended. */
  onNoShow: (marked: { lateMs: number }) => void;
  onReconciled: (done: Repairs & { part: ReconcilePart }) => void;
  onPruned: (done: { class: RetentionClass; pruned: number }) => void;
}
