import type { RunningWorkflows } from '../../adapters/temporal/running-workflows.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import {
  findRetriesInLine,
  type OverdueDeliveries,
  type RetryInLine,
} from '../../db/webhooks/deliveries/overdue-deliveries.ts';

/** The oldest ones; Temporal's list answers for so many at once. */
const LOOKED_AT = 200;

/**
 * Retries that seem to wait for earlier attempts at their endpoint, but whose workflow does not run: others of the endpoint get
 * on, these never will by themselves. By the number of the attempt.
 */
export async function findLostRetries(
  em: EntityManager,
  running: RunningWorkflows,
): Promise<OverdueDeliveries[]> {
  const inLine = await findRetriesInLine(em, LOOKED_AT);
  const missing = new Set(await running.missingAmong(inLine.map(({ workflowId }) => workflowId)));
  if (missing.size === 0) return [];
  // A workflow may have made its attempt and ended since the rows were read.
  const lost = (await findRetriesInLine(em, LOOKED_AT)).filter(({ workflowId }) => missing.has(workflowId));
  return [...Map.groupBy(lost, ({ attempt }) => attempt)].map(asGroup);
}

function asGroup([attempt, retries]: [number, RetryInLine[]]): OverdueDeliveries {
  return {
    status: 'retrying',
    attempt,
    count: retries.length,
    seconds: Math.max(...retries.map(({ seconds }) => seconds)),
    oldestIds: retries.map(({ id }) => id),
    workflowIds: retries.map(({ workflowId }) => workflowId),
    isInOutbox: false,
    lastError: null,
  };
}
