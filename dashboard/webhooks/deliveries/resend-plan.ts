import type { ResendFacts } from '../../../db/webhooks/deliveries/resend-facts.ts';
import { isFinal } from '../../../domain/webhooks/delivery-status.ts';
import { receivesEvents } from '../../../domain/webhooks/endpoint-status.ts';

/** Why a delivery cannot be resent with others. */
export type Obstacle = 'sent_again' | 'open' | 'endpoint_off' | 'body_gone';

export interface ResendPlan {
  /** The deliveries to resend, in order of creation. */
  ready: ResendFacts[];
  /** The number of deliveries for each obstacle. */
  left: [Obstacle, number][];
}

/** Which deliveries are resent; for an event with several deliveries to its endpoint, only the last. */
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
