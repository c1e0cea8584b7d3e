import type { Temporal } from '../../adapters/temporal/connect-temporal.ts';
import { whyWorkflowWaits } from '../../adapters/temporal/why-workflow-waits.ts';

/** What is in the outbox and has not failed there. */
export const NOT_TAKEN = 'no worker has taken it from the outbox';
/** docs/decisions/0011-shares-of-attempts.md */
export const IN_LINE = 'earlier attempts at its endpoint, clinic or host come first';

/** Why a workflow does not get on; null when it only waits for a time or for a signal. */
export function askWhyItWaits(temporal: Temporal, workflowId: string): Promise<string | null> {
  return temporal
    .ask((client) => whyWorkflowWaits(client, workflowId))
    .catch(() => 'Temporal does not say why');
}
