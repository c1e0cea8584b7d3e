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
 * Asks for events to be sent again. The deliveries are made by a workflow, a page at a time; the answer says how many
 * there will be, unless one of them is sent or goes in another way before its turn. Errors: `not_found`, `endpoint_deactivated`, `clinic_inactive`.
 */
export async function replayDeliveries(em: EntityManager, input: ReplayDeliveries, context: CommandContext) {
  const { tenantId, endpointId } = input;
  await requireReceivingEndpoint(em, input);
  // An event that saw the endpoint switched off may not have been committed yet.
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
  /** When the page was made that showed what was given up; exclusive. */
  until: Date;
  /** The newest entry of the audit then. */
  seen: string;
}

/**
 * Sends again what never reached an endpoint, as someone saw it on a page, and returns how many deliveries that makes. Anyone who asks
 * a second time from the same page is told what the first one has made; an endpoint that is off by now, or whose clinic is canceled, gets nothing.
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

/** One transaction's share. */
const PAGE = 200;
/** With so many deliveries waiting for their first attempt, more would only queue up before everyone else's. */
const MAX_WAITING = 200;

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
  if (!endpoint || !(await isReceiving(em, endpoint))) {
    await finishReplay(em, replay);
    return { deliveries, isFinished: true };
  }
  if ((await countUnattempted(em, replay, MAX_WAITING)) >= MAX_WAITING)
    return { deliveries, isFinished: false };
  const made = await insertReplayPage(em, replay, PAGE, now);
  const isFinished = made < PAGE;
  if (isFinished) await finishReplay(em, replay);
  return { deliveries: deliveries + made, isFinished };
}
