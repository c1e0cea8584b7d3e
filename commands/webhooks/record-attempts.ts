import type { EntityManager } from '../../db/connection/open-database.ts';
import type { DeliveryProgress } from '../../db/webhooks/deliveries/delivery-progress.ts';
import {
  applyVerdict,
  holdJudgedEndpoints,
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
 * Stores what became of attempts, with it when the next ones are due and what they say about their endpoints' health.
 * Repeating it changes nothing. Returns how the deliveries stand, by their ids.
 * @param burst the workflow that will be the record of those that succeed, unless each has its own
 */
export async function recordAttempts(
  em: EntityManager,
  attempts: readonly MadeAttempt[],
  timings: Timings,
  burst: string | null = null,
): Promise<Map<string, DeliveryProgress>> {
  const judged = attempts.map((attempt) => judge(attempt, timings));
  const verdicts = judged.flatMap(({ verdict }) => verdict ?? []);
  const effective = await holdJudgedEndpoints(em, verdicts);
  const progress = await insertAttempts(
    em,
    judged.map(({ row }) => row),
    burst,
  );
  for (const verdict of effective) await applyVerdict(em, verdict);
  const others = attempts.map(({ deliveryId }) => deliveryId).filter((id) => !progress.has(id));
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
