import {
  countMade,
  countUnattempted,
  finishReplay,
  insertReplayPage,
  lockReplay,
} from '../../../db/webhooks/endpoints/endpoint-replay.ts';
import { requireTenant } from '../../clinic/require-tenant.ts';
import type { EntityManager } from '../../../db/connection/open-database.ts';
import { receivesEvents } from '../../../domain/webhooks/endpoint-status.ts';
import { lockEndpoint } from '../require-endpoint.ts';

/** One transaction's share. */
const PAGE = 200;
/** With so many deliveries waiting for their first attempt, more would only queue up before everybody else's. */
const MOST_WAITING = 200;

export interface ReplayProgress {
  /** How many deliveries the replay has made. */
  deliveries: number;
  isFinished: boolean;
}

/** Makes a replay's next deliveries. It ends with its last event, or when the endpoint is off or its clinic canceled. */
export async function replayPage(
  em: EntityManager,
  { tenantId, replayId }: { tenantId: string; replayId: string },
  now: Date,
): Promise<ReplayProgress> {
  const replay = await lockReplay(em, tenantId, replayId);
  if (!replay) return { deliveries: await countMade(em, tenantId, replayId), isFinished: true };
  const { deliveries } = replay;
  // Held, because resends and other replays of this endpoint count their deliveries up too.
  const endpoint = await lockEndpoint(em, replay);
  const clinic = await requireTenant(em, tenantId);
  if (!endpoint || !receivesEvents(endpoint.status) || clinic.status === 'canceled') {
    await finishReplay(em, replay);
    return { deliveries, isFinished: true };
  }
  if ((await countUnattempted(em, replay, MOST_WAITING)) >= MOST_WAITING)
    return { deliveries, isFinished: false };
  const made = await insertReplayPage(em, replay, PAGE, now);
  const isFinished = made < PAGE;
  if (isFinished) await finishReplay(em, replay);
  return { deliveries: deliveries + made, isFinished };
}
