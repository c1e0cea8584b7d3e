import type { DeliveryToAttempt } from '../db/webhooks/deliveries/delivery-to-attempt.ts';
import type { SentOutcome } from './send-attempt.ts';

/**
 * An attempt as it is recorded. If its outcome came through Temporal, its URL is known unless the endpoint's URL has
 * changed since then.
 */
export function madeAttempt(delivery: DeliveryToAttempt, number: number, outcome: SentOutcome) {
  const { deliveryId, tenantId, endpointId, eventType, url, correctedAtMs } = delivery;
  const isThere = correctedAtMs === null || correctedAtMs < outcome.startedAt.getTime();
  return {
    tenantId,
    deliveryId,
    endpointId,
    eventType,
    number,
    ...outcome,
    url: outcome.url ?? (isThere ? url : null),
  };
}

/** An attempt that was made but is not recorded yet. */
export interface Unrecorded {
  number: number;
  outcome: SentOutcome;
}

/**
 * An outcome in a heartbeat or a workflow's input: without the URL, and without the excerpt, which may contain patient
 * data.
 */
export type HeartbeatOutcome = Omit<SentOutcome, 'startedAt' | 'responseExcerpt' | 'url' | 'tlsFault'> & {
  number: number;
  startedAt: string;
  /** Missing in data from the previous version. */
  tlsFault?: SentOutcome['tlsFault'];
};

export function toHeartbeat({
  number,
  outcome: { responseExcerpt: _excerpt, url: _url, ...outcome },
}: Unrecorded): HeartbeatOutcome {
  return { number, ...outcome, startedAt: outcome.startedAt.toISOString() };
}

export function fromHeartbeat({
  number,
  startedAt,
  tlsFault = null,
  ...outcome
}: HeartbeatOutcome): Unrecorded {
  return {
    number,
    outcome: { ...outcome, startedAt: new Date(startedAt), responseExcerpt: null, url: null, tlsFault },
  };
}
