import { z } from 'zod';

/** WORKFLOW_CHANGES: whether running workflows may go the ways that this version is the first to know. docs/temporal.md#change-a-workflow */
export const workflowChangesConfig = z
  .object({ WORKFLOW_CHANGES: z.enum(['made', 'held'], 'must be made or held').default('made') })
  .transform(({ WORKFLOW_CHANGES: changes }) => ({ areHeld: changes === 'held' }));
