import type { ResendFacts } from '../../../db/webhooks/deliveries/resend-facts.ts';
import { isFinal } from '../../../domain/webhooks/delivery-status.ts';
import { receivesEvents } from '../../../domain/webhooks/endpoint-status.ts';

/** Why a delivery is not sent again together with others. */
export type Obstacle = 'sent_again' | 'open' | 'endpoint_off' | 'body_gone';

export interface ResendPlan {
  /** In the order in which they came about. */
  ready: ResendFacts[];
  /** How many each obstacle keeps back. */
  left: [Obstacle, number][];
}

/** Which of them are sent again; of an event that has gone to its endpoint several times the last delivery alone. */
export function planResend(chosen: readonly ResendFacts[]): ResendPlan {
  const byObstacle = Map.groupBy(chosen, obstacleOf);
  const ready = byObstacle.get(null) ?? [];
  const left = [...byObstacle].flatMap(([obstacle, { length }]): [Obstacle, number][] =>
    obstacle === null ? [] : [[obstacle, length]],
  );
  return { ready, left };
}

function obstacleOf({ status, isNewest, isKept, endpoint }: ResendFacts): Obstacle | null {
  if (!isNewest) return 'sent_again';
  if (!isFinal(status)) return 'open';
  if (endpoint.isDeleted || !receivesEvents(endpoint.status)) return 'endpoint_off';
  return isKept ? null : 'body_gone';
}
