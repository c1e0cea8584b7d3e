import {
  countMade,
  countUnattempted,
  finishReplay,
  insertReplayPage,
  lockReplay,
} from '../../db/webhooks/endpoint-replay-rows.ts';
import { lockEndpoint } from '../../db/webhooks/endpoint-rows.ts';
import type { Sql } from '../../db/connection/open-database.ts';
import { receivesEvents } from '../../domain/webhooks/delivery-status.ts';

/** One transaction's share. */
const PAGE = 200;
/** With so many deliveries waiting for their first attempt, more would only queue up before everybody else's. */
const MOST_WAITING = 200;

export interface ReplayProgress {
  /** How many deliveries the replay has made. */
  deliveries: number;
  isFinished: boolean;
}

/** Makes a replay's next deliveries. It ends with its last event, or when the endpoint is switched off. */
export async function replayPage(
  tx: Sql,
  { tenantId, replayId }: { tenantId: string; replayId: string },
  now: Date,
): Promise<ReplayProgress> {
  const replay = await lockReplay(tx, tenantId, replayId);
  if (!replay) return { deliveries: await countMade(tx, tenantId, replayId), isFinished: true };
  const { deliveries } = replay;
  // Held, because resends and other replays of this endpoint count their deliveries up too.
  const endpoint = await lockEndpoint(tx, tenantId, replay.endpointId);
  if (!endpoint || !receivesEvents(endpoint.status)) {
    await finishReplay(tx, replay);
    return { deliveries, isFinished: true };
  }
  if ((await countUnattempted(tx, replay, MOST_WAITING)) >= MOST_WAITING)
    return { deliveries, isFinished: false };
  const made = await insertReplayPage(tx, replay, PAGE, now);
  const isFinished = made < PAGE;
  if (isFinished) await finishReplay(tx, replay);
  return { deliveries: deliveries + made, isFinished };
}
