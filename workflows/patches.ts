import { patched, workflowInfo } from '@temporalio/workflow';

/**
 * Workflow code changes behind `patched()`: docs/temporal.md#change-a-workflow. Never reuse a name. An old branch can
 * be deleted once no workflow runs that started without the patch.
 */
export const DELIVERY_WAITS_AS_TOLD = 'delivery-waits-as-told';

/** A long reconciliation continues in a new run before its time limit ends it. */
export const RECONCILE_GOES_ON_IN_TIME = 'reconcile-goes-on-in-time';

/** A run that continues as new starts no mails: the next run would send them again. */
export const MAILS_WAIT_FOR_THE_NEXT_RUN = 'mails-wait-for-the-next-run';

/** Withdrawn: it only cleaned up runs that had ended, at the cost of a marker and an upsert each. */
export const NO_SHOW_IS_DUE_NO_MORE = 'no-show-is-due-no-more';

/**
 * Whether the replayed history took the branch of a withdrawn patch. New runs do not take it and record nothing. Use it
 * only for commands in a workflow's last task.
 */
export function wasPatched(name: string): boolean {
  return workflowInfo().unsafe.isReplaying && patched(name);
}
