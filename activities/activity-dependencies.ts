import type { Logger } from '../adapters/logs/logger.ts';
import type { Mailer } from '../adapters/mail/mailer.ts';
import type { RunningWorkflows } from '../adapters/temporal/running-workflows.ts';
import type { Repairs } from '../commands/reconcile/reconcile-page.ts';
import type { Database } from '../db/connection/open-database.ts';
import type { ReconcilePart } from '../domain/reconcile.ts';
import type { RetentionClass, RetentionDays } from '../domain/retention.ts';

/** What activities work with; each asks for those it uses. */
export interface ActivityDependencies {
  database: Database;
  /** Null when this deployment sends no mail. */
  mailer: Mailer | null;
  runningWorkflows: RunningWorkflows;
  retention: RetentionDays;
  logger: Logger;
  clock: () => Date;
  /** An appointment was marked, so long after its grace had passed. */
  onNoShow: (marked: { lateMs: number }) => void;
  onReconciled: (done: Repairs & { part: ReconcilePart }) => void;
  onPruned: (done: { class: RetentionClass; pruned: number }) => void;
}
