import { uuidv7 } from 'uuidv7';
import {
  countMade,
  countReplayed,
  countUnattempted,
  finishReplay,
  insertReplay,
  insertReplayPage,
  lockReplay,
  type ReplayScope,
} from '../../../db/webhooks/endpoints/endpoint-replay.ts';
import { waitForEventsUnderWay } from '../../../db/webhooks/events/find-events.ts';
import { insertOutboxMessages } from '../../../db/outbox/insert-messages.ts';
import type { EntityManager } from '../../../db/connection/open-database.ts';
import { recordAudit, type CommandContext } from '../../command-context.ts';
import { isReceiving, lockEndpoint, requireReceivingEndpoint } from '../require-endpoint.ts';
import { findLastDoing } from '../../../db/audit/audit-events.ts';

export type ReplayDeliveries = Omit<ReplayScope, 'until' | 'endedBy'> & {
  /** Exclusive; null: the time of the request. */
  until: Date | null;
};

/**
 * Starts a replay. A workflow creates the deliveries page by page; the result contains their expected number. Errors:
 * `not_found`, `endpoint_deactivated`, `clinic_inactive`.
 */
export async function replayDeliveries(em: EntityManager, input: ReplayDeliveries, context: CommandContext) {
  const { tenantId, endpointId } = input;
  await requireReceivingEndpoint(em, input);
  // An event that found the endpoint disabled may not be committed yet.
  const endedBy = await waitForEventsUnderWay(em, endpointId);
  const scope = { ...input, until: input.until ?? context.now, endedBy };
  const deliveries = await countReplayed(em, scope);
  if (deliveries === 0) return { deliveries };
  const id = uuidv7();
  await insertReplay(em, { ...scope, id });
  await insertOutboxMessages(em, { kind: 'startReplay', replayId: id, clinicId: tenantId, endpointId });
  const details = { deliveries, replayId: id };
  await recordAudit(em, { action: 'endpoint.replayed', tenantId, subjectId: endpointId, details }, context);
  return { deliveries };
}

export interface ResendUndelivered {
  tenantId: string;
  endpointId: string;
  since: Date;
  /** When the page with the undelivered events was built; exclusive. */
  until: Date;
  /** The newest entry of the activity log at that time. */
  seen: string;
}

/**
 * Resends an endpoint's undelivered events as shown on a page, and returns the number of deliveries. A second click on
 * the same page returns the first result; a disabled endpoint, or one of a cancelled clinic, gets nothing.
 */
export async function resendUndelivered(
  em: EntityManager,
  { tenantId, endpointId, since, until, seen }: ResendUndelivered,
  context: CommandContext,
): Promise<number> {
  const endpoint = await lockEndpoint(em, { tenantId, endpointId });
  if (!endpoint || !(await isReceiving(em, endpoint))) return 0;
  const last = await findLastDoing(em, { tenantId, subjectId: endpointId, action: 'endpoint.replayed' });
  if (last && last.id > seen) return Number(last.details['deliveries'] ?? 0);
  const scope = { tenantId, endpointId, since, until, include: 'missing' } as const;
  return (await replayDeliveries(em, scope, context)).deliveries;
}

/** Deliveries per transaction. */
const PAGE = 200;
/**
 * While more deliveries than this wait for their first attempt, no new ones are created, because they would only delay
 * others.
 */
const MAX_WAITING = 200;

export interface ReplayProgress {
  /** The number of deliveries created. */
  deliveries: number;
  isFinished: boolean;
}

/**
 * Creates a replay's next deliveries. It ends with its last event, or when the endpoint is disabled or its clinic
 * cancelled.
 */
export async function replayPage(
  em: EntityManager,
  { tenantId, replayId }: { tenantId: string; replayId: string },
  now: Date,
): Promise<ReplayProgress> {
  const replay = await lockReplay(em, tenantId, replayId);
  if (!replay) return { deliveries: await countMade(em, tenantId, replayId), isFinished: true };
  const { deliveries } = replay;
  // Locked, because resends and other replays of this endpoint also number their deliveries.
  const endpoint = await lockEndpoint(em, replay);
  if (!endpoint || !(await isReceiving(em, endpoint))) {
    await finishReplay(em, replay);
    return { deliveries, isFinished: true };
  }
  const { url } = endpoint;
  if (url !== null && (await countUnattempted(em, replay, MAX_WAITING)) >= MAX_WAITING)
    return { deliveries, isFinished: false };
  const made = await insertReplayPage(em, replay, { url, limit: PAGE, now });
  const isFinished = made < PAGE;
  if (isFinished) await finishReplay(em, replay);
  return { deliveries: deliveries + made, isFinished };
}
