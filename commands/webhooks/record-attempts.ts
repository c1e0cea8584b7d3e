import { lockTimeout } from '../../db/connection/locks.ts';
import { timingsOf } from '../../db/connection/timings-of.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { run } from '../../db/connection/statements.ts';
import type { DeliveryProgress } from '../../db/webhooks/deliveries/delivery-progress.ts';
import {
  applyVerdict,
  lockJudgedEndpoints,
  judgedEndpoint,
  type EndpointVerdict,
} from '../../db/webhooks/endpoints/endpoint-verdicts.ts';
import {
  findProgress,
  insertAttempts,
  insertFreeAttempts,
  type NewAttempt,
} from '../../db/webhooks/deliveries/record-attempts.ts';
import { announceEndpoint, healthContext } from './announce-endpoint.ts';
import { judgeHealth } from '../../domain/webhooks/endpoint-health.ts';
import { TEST_EVENT_TYPE, type AnyEventType } from '../../domain/webhooks/event-types.ts';
import { nextAttemptAt } from '../../domain/webhooks/retry-schedule.ts';

/** An attempt that was made. */
export type MadeAttempt = Omit<NewAttempt, 'verdict' | 'nextAttemptAt'> & {
  endpointId: string;
  eventType: AnyEventType;
};

/**
 * Stores attempts, with the times of the next ones and their effect on endpoints' health. Safe to repeat. Waits for
 * transactions that have locked a delivery or an endpoint. Returns the deliveries' progress by id. @param lockTimeoutMs
 * fails after waiting this long for a lock; by default the statement timeout
 */
export async function recordAttempts(
  em: EntityManager,
  attempts: readonly MadeAttempt[],
  lockTimeoutMs?: number,
): Promise<Map<string, DeliveryProgress>> {
  const recorded = await recordFreeAttempts(em, attempts);
  const others = attempts.filter(({ deliveryId }) => !recorded.has(deliveryId));
  if (others.length === 0) return recorded;
  const judged = others.map((attempt) => judge(em, attempt));
  const waited = await em.transactional(async (transaction) => {
    if (lockTimeoutMs !== undefined) await run(transaction)`SELECT ${lockTimeout(lockTimeoutMs)}`;
    return recordJudged(transaction, judged);
  });
  return new Map([...recorded, ...waited]);
}

/**
 * Like `recordAttempts`, but with one statement that never waits: it skips attempts whose delivery is locked, and
 * attempts that change the status of their endpoint. Both are rare.
 */
export function recordFreeAttempts(
  em: EntityManager,
  attempts: readonly MadeAttempt[],
): Promise<Map<string, DeliveryProgress>> {
  const judged = attempts.map((attempt) => judge(em, attempt));
  return insertFreeAttempts(
    em,
    judged.map(({ row, verdict }) => ({ ...row, judged: verdict && judgedEndpoint(verdict) })),
  );
}

async function recordJudged(
  em: EntityManager,
  judged: readonly ReturnType<typeof judge>[],
): Promise<Map<string, DeliveryProgress>> {
  const rows = judged.map(({ row }) => row);
  const verdicts = judged.flatMap(({ verdict }) => verdict ?? []);
  const effective = await lockJudgedEndpoints(em, verdicts);
  const progress = await insertAttempts(em, rows);
  for (const effect of effective) {
    const changed = await applyVerdict(em, effect);
    if (!changed) continue;
    const { verdict, endpointId } = effect;
    const [type, at] =
      verdict.kind === 'fails'
        ? (['endpoint.failing', verdict.since] as const)
        : (['endpoint.recovered', verdict.at] as const);
    await announceEndpoint(em, type, changed, healthContext(endpointId, at));
  }
  const others = rows.map(({ deliveryId }) => deliveryId).filter((id) => !progress.has(id));
  return others.length === 0 ? progress : new Map([...progress, ...(await findProgress(em, others))]);
}

/** An attempt as a row, and its effect on the endpoint. */
function judge(
  em: EntityManager,
  { endpointId, eventType, ...attempt }: MadeAttempt,
): { row: NewAttempt; verdict: EndpointVerdict | null } {
  const timings = timingsOf(em);
  const { outcome, deliveryId, startedAt, durationMs, number } = attempt;
  const endedAt = new Date(startedAt.getTime() + durationMs);
  // A test event has one attempt.
  const delays = eventType === TEST_EVENT_TYPE ? [] : timings.retryDelaysSeconds;
  const dueAt = nextAttemptAt(number, endedAt, delays);
  const health = judgeHealth({ eventType, outcome, startedAt, endedAt, isLast: dueAt === null }, timings);
  const verdict = outcome === 'succeeded' ? 'succeeded' : dueAt ? 'retrying' : 'failed';
  return {
    row: { ...attempt, verdict, nextAttemptAt: verdict === 'retrying' ? dueAt : null },
    verdict: health && { endpointId, deliveryId, verdict: health },
  };
}
