import { patched, workflowInfo } from '@temporalio/workflow';

/**
 * The changes of workflow code that are behind `patched()`: docs/temporal.md#change-a-workflow. A name is never used again; an old way
 * may go once no workflow runs that was begun without the patch.
 */
export const DELIVERY_WAITS_AS_TOLD = 'delivery-waits-as-told';

/** A reconciliation that takes long goes on in a new run, before its time limit ends it. */
export const RECONCILE_GOES_ON_IN_TIME = 'reconcile-goes-on-in-time';

/** A run that continues as new begins no mails, which the next run would send again. */
export const MAILS_WAIT_FOR_THE_NEXT_RUN = 'mails-wait-for-the-next-run';

/** Given up: it only tidied runs that had ended, and each cost a marker and an upsert. */
export const NO_SHOW_IS_DUE_NO_MORE = 'no-show-is-due-no-more';

/**
 * Whether a history that is replayed has gone the way of a patch that was given up. What runs now does not go it, and
 * records nothing. Only for what a workflow asks for in its last task: no one goes on from there.
 */
export function wasPatched(name: string): boolean {
  return workflowInfo().unsafe.isReplaying && patched(name);
}
