/**
 * The changes of workflow code that are behind `patched()`: docs/temporal.md#change-a-workflow. A name is never used again; an old way
 * may go once no workflow runs that was begun without the patch.
 */
export const DELIVERY_WAITS_AS_TOLD = 'delivery-waits-as-told';
export const NO_SHOW_IS_DUE_NO_MORE = 'no-show-is-due-no-more';
