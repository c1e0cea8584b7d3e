import type { Temporal } from '../../adapters/temporal/connect-temporal.ts';
import { whyWorkflowWaits } from '../../adapters/temporal/why-workflow-waits.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { outcomeInWords } from '../../domain/webhooks/outcome-in-words.ts';
import { whyTemporalIsAway } from './temporal-by-workers.ts';
import {
  findDeliverySituation,
  type DeliverySituation,
} from '../../db/webhooks/deliveries/delivery-situation.ts';

/** The delivery is in the outbox and has not failed. */
export const NOT_TAKEN = 'no worker has claimed it from the outbox';
/** docs/decisions/0011-shares-of-attempts.md */
export const IN_LINE = 'earlier attempts to the same endpoint, clinic or host come first';

/** Why a workflow makes no progress; null when it only waits for a time or signal, or Temporal is unreachable. */
export async function askWhyItWaits(temporal: Temporal | null, workflowId: string): Promise<string | null> {
  if (!temporal) return null;
  return temporal
    .ask((client) => whyWorkflowWaits(client, workflowId))
    .catch(() => 'Temporal does not say why');
}

/**
 * Describes what a delivery waits for or how it ended; null when the delivery does not exist.
 * docs/operations/find-stuck-deliveries.md#why-a-delivery-is-stuck
 * @param temporal null: uses only the rows, and the workers' view of Temporal
 */
export async function describeDelivery(em: EntityManager, temporal: Temporal | null, deliveryId: string) {
  const found = await findDeliverySituation(em, deliveryId);
  if (!found) return null;
  switch (found.status) {
    case 'succeeded':
      return found.workflowId === null ? 'read from the queue' : `received at attempt ${found.attemptCount}`;
    case 'failed':
      return `failed after ${found.attemptCount} attempts; the last attempt: ${outcomeOf(found)}`;
    case 'skipped':
      return `skipped: ${whySkipped(found)}`;
    case 'pending':
    case 'retrying': {
      const off = whyOff(found);
      return off
        ? `no attempt is made and the delivery ends as skipped: ${off}`
        : whyOpen(em, found, temporal);
    }
  }
}

function whySkipped(found: DeliverySituation): string {
  return whyOff(found) ?? 'at that time, its endpoint was disabled or the clinic was canceled';
}

/** Why the delivery's endpoint receives nothing now; null if the endpoint is active. */
function whyOff({ isClinicCanceled, endpointStatus }: DeliverySituation): string | null {
  if (endpointStatus === 'deleted') return 'its endpoint was deleted';
  if (isClinicCanceled) return 'the clinic is canceled';
  const isOff = endpointStatus === 'deactivated' || endpointStatus === 'disabled';
  return isOff ? `its endpoint is ${endpointStatus}` : null;
}

async function whyOpen(em: EntityManager, found: DeliverySituation, temporal: Temporal | null) {
  const { isInOutbox, lastError, isServed, attemptCount, nextAttemptAt, isDue, workflowId, pausedUntil } =
    found;
  if (pausedUntil !== null && isDue) return `its endpoint is paused until ${pausedUntil}`;
  if (lastError !== null) return lastError;
  if (workflowId === null) return 'it waits until its endpoint’s system reads the queue';
  if (isInOutbox) return isServed ? IN_LINE : NOT_TAKEN;
  const attempt = `attempt ${attemptCount + 1}`;
  const after = attemptCount === 0 ? '' : `, after: ${outcomeOf(found)}`;
  const reason = await askWhyItWaits(temporal, workflowId);
  if (reason !== null) return reason;
  const whyAway = isDue && !temporal ? await whyTemporalIsAway(em) : null;
  if (whyAway !== null) return `${attempt} is due, but ${whyAway}`;
  return isDue ? `${attempt} is delayed: ${IN_LINE}` : `${attempt} is due at ${nextAttemptAt}${after}`;
}

function outcomeOf({ errorClass, responseStatus }: DeliverySituation): string {
  return outcomeInWords(errorClass, responseStatus);
}
