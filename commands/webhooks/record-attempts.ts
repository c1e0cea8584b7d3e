import type { EntityManager } from '../../db/connection/open-database.ts';
import type { DeliveryProgress } from '../../db/webhooks/deliveries/delivery-progress.ts';
import {
  applyVerdict,
  holdJudgedEndpoints,
  noneChangesItsEndpoint,
  type EndpointVerdict,
} from '../../db/webhooks/endpoints/endpoint-verdicts.ts';
import {
  findProgress,
  insertAttempts,
  type NewAttempt,
} from '../../db/webhooks/deliveries/record-attempts.ts';
import { judgeHealth } from '../../domain/webhooks/endpoint-health.ts';
import { TEST_EVENT_TYPE, type AnyEventType } from '../../domain/webhooks/event-types.ts';
import { nextAttemptAt } from '../../domain/webhooks/retry-schedule.ts';
import type { Timings } from '../../domain/timings.ts';

/** An attempt that was made. */
export type MadeAttempt = Omit<NewAttempt, 'verdict' | 'nextAttemptAt'> & {
  endpointId: string;
  eventType: AnyEventType;
};

/**
 * Stores what became of attempts, with it when the next ones are due and what they say about their endpoints' health, all
 * in a transaction of its own. Repeating it changes nothing. Returns how the deliveries stand, by their ids.
 */
export async function recordAttempts(
  em: EntityManager,
  attempts: readonly MadeAttempt[],
  timings: Timings,
): Promise<Map<string, DeliveryProgress>> {
  const judged = attempts.map((attempt) => judge(attempt, timings));
  const rows = judged.map(({ row }) => row);
  const verdicts = judged.flatMap(({ verdict }) => verdict ?? []);
  // Nearly always the attempts are new and their endpoints stay as they are: then one statement is all.
  const progress = await insertAttempts(em, rows, noneChangesItsEndpoint(verdicts));
  if (progress.size === attempts.length) return progress;
  return em.transactional((transaction) => recordJudged(transaction, rows, verdicts));
}

async function recordJudged(
  em: EntityManager,
  rows: readonly NewAttempt[],
  verdicts: readonly EndpointVerdict[],
): Promise<Map<string, DeliveryProgress>> {
  const effective = await holdJudgedEndpoints(em, verdicts);
  const progress = await insertAttempts(em, rows);
  for (const verdict of effective) await applyVerdict(em, verdict);
  const others = rows.map(({ deliveryId }) => deliveryId).filter((id) => !progress.has(id));
  return others.length === 0 ? progress : new Map([...progress, ...(await findProgress(em, others))]);
}

/** An attempt as its row will be, and what it says about its endpoint. */
function judge(
  { endpointId, eventType, ...attempt }: MadeAttempt,
  timings: Timings,
): { row: NewAttempt; verdict: EndpointVerdict | null } {
  const { outcome, deliveryId, startedAt, durationMs, number } = attempt;
  const endedAt = new Date(startedAt.getTime() + durationMs);
  // A test event makes one attempt.
  const delays = eventType === TEST_EVENT_TYPE ? [] : timings.retryDelaysSeconds;
  const dueAt = nextAttemptAt(number, endedAt, delays);
  const health = judgeHealth({ eventType, outcome, startedAt, endedAt, isLast: dueAt === null }, timings);
  const verdict = outcome === 'succeeded' ? 'succeeded' : dueAt ? 'retrying' : 'failed';
  return {
    row: { ...attempt, verdict, nextAttemptAt: verdict === 'retrying' ? dueAt : null },
    verdict: health && { endpointId, deliveryId, verdict: health },
  };
}
