import type { Client } from '@temporalio/client';
import type { Temporal } from '../../adapters/temporal/connect-temporal.ts';
import { createRunningWorkflows, type RunningWorkflows } from '../../adapters/temporal/running-workflows.ts';
import { findOverdueNoShows } from '../../db/appointments/no-shows.ts';
import type { Database, EntityManager } from '../../db/connection/open-database.ts';
import { findEndpointsNotActive } from '../../db/webhooks/endpoints/list-endpoints.ts';
import { findOverdueDeactivations, findOverdueMails } from '../../db/webhooks/endpoints/overdue-endpoints.ts';
import {
  countDeliveriesOnTime,
  findOverdueDeliveries,
  findQueuedRetries,
  type DeliveriesOnTime,
  type OverdueDeliveries,
  type QueuedRetry,
} from '../../db/webhooks/deliveries/overdue-deliveries.ts';
import type { Overdue } from '../../domain/diagnosis/overdue.ts';
import { askWhyItWaits, IN_LINE, NOT_TAKEN } from './describe-delivery.ts';
import { DegradedError } from './check.ts';

/** The number of workflows listed per group. */
const NAMED = 10;

/**
 * Checks for deliveries that are overdue by more than a minute (`domain/diagnosis/overdue.ts`), grouped by the part
 * that should process them.
 */
export async function examineDeliveries(database: Database, temporal: Temporal | null): Promise<string> {
  const em = database.em();
  const inTurn = await countDeliveriesOnTime(em);
  const findLost = (client: Client) => findLostRetries(em, createRunningWorkflows(client));
  const lost = temporal ? await temporal.ask(findLost).catch(() => []) : [];
  const overdue = [...(await findOverdueDeliveries(em)), ...lost];
  const waiting = describeInTurn(without(lost, inTurn));
  if (overdue.length === 0) return ['none overdue', ...waiting].join('; ');
  const groups = await Promise.all(overdue.map((group) => describeGroup(group, temporal)));
  throw new DegradedError([...groups, ...waiting].join('; '));
}

function without(lost: readonly OverdueDeliveries[], inTurn: DeliveriesOnTime): DeliveriesOnTime {
  const ids = lost.flatMap(({ oldestIds }) => oldestIds);
  const inLineIds = inTurn.inLineIds.filter((id) => !ids.includes(id));
  return { ...inTurn, inLine: inTurn.inLine - ids.length, inLineIds };
}

function describeInTurn({ inLine, inLineIds, inTime }: DeliveriesOnTime): string[] {
  return [
    ...(inLine > 0 ? [`${inLine} late (${inLineIds.join(', ')}): ${IN_LINE}`] : []),
    ...(inTime > 0 ? [`${inTime} are not due yet`] : []),
  ];
}

export async function examineNoShows(database: Database, temporal: Temporal | null) {
  const overdue = await findOverdueNoShows(database.em());
  if (!overdue) return 'none overdue';
  throw new DegradedError(
    `${overdue.count} appointments, no-show ${await describeOverdue(overdue, temporal)}`,
  );
}

/** Checks for overdue deactivations and emails, and counts endpoints that are not active. */
export async function examineEndpoints(database: Database, temporal: Temporal | null): Promise<string> {
  const late = {
    'endpoints to be disabled': await findOverdueDeactivations(database.em()),
    'emails to be sent': await findOverdueMails(database.em()),
  };
  const found = Object.entries(late).map(async ([what, overdue]) => {
    return overdue ? [`${overdue.count} ${what}, ${await describeOverdue(overdue, temporal)}`] : [];
  });
  const details = (await Promise.all(found)).flat();
  const notActive = (await findEndpointsNotActive(database.em())).map(
    ({ status, count, latestIds }) => `${count} ${status} (${latestIds.join(', ')})`,
  );
  if (details.length === 0) return ['none overdue', ...notActive].join('; ');
  throw new DegradedError([...details, ...notActive].join('; '));
}

/** Describes a group, with the reasons of its oldest deliveries. */
async function describeGroup(group: OverdueDeliveries, temporal: Temporal | null): Promise<string> {
  const { oldestIds, workflowIds, status, attempt, count, seconds } = group;
  const oldest = await Promise.all(
    workflowIds.slice(0, NAMED).map(async (workflowId, at) => {
      const reason = await reasonOf({ ...group, workflowId }, temporal);
      return { id: oldestIds[at], reason, kind: reason.replaceAll(workflowId, '') };
    }),
  );
  const reasons = [...Map.groupBy(oldest, ({ kind }) => kind).values()].map(
    (same) => `(${same.map(({ id }) => id).join(', ')}): ${same[0]?.reason}`,
  );
  return `${count} ${status}, attempt ${attempt} overdue for up to ${Math.round(seconds)} s ${reasons.join(', ')}`;
}

async function describeOverdue(overdue: Overdue, temporal: Temporal | null): Promise<string> {
  const { oldestIds, seconds } = overdue;
  const reason = await reasonOf(overdue, temporal);
  return `overdue for up to ${Math.round(seconds)} s (${oldestIds.join(', ')}): ${reason}`;
}

async function reasonOf(
  { workflowId, isInOutbox, lastError }: Overdue,
  temporal: Temporal | null,
): Promise<string> {
  if (lastError !== null) return lastError;
  if (isInOutbox) return NOT_TAKEN;
  return (await askWhyItWaits(temporal, workflowId)) ?? `${workflowId} waits`;
}

/** How many of the oldest are looked at: Temporal's list can return this many at a time. */
const LOOKED_AT = 200;

/**
 * Retries that seem to wait for earlier attempts but whose workflow is not running, counted by attempt number. They
 * will not be made until `reconcile` starts the workflow.
 */
export async function findLostRetries(em: EntityManager, running: RunningWorkflows) {
  const inLine = await findQueuedRetries(em, LOOKED_AT);
  const missing = new Set(await running.missingAmong(inLine.map(({ workflowId }) => workflowId)));
  if (missing.size === 0) return [];
  // A workflow may have made its attempt and ended since the rows were read.
  const lost = (await findQueuedRetries(em, LOOKED_AT)).filter(({ workflowId }) => missing.has(workflowId));
  return [...Map.groupBy(lost, ({ attempt }) => attempt)].map(asGroup);
}

function asGroup([attempt, retries]: [number, QueuedRetry[]]): OverdueDeliveries {
  return {
    status: 'retrying',
    attempt,
    count: retries.length,
    seconds: Math.max(...retries.map(({ seconds }) => seconds)),
    oldestIds: retries.map(({ id }) => id),
    workflowIds: retries.map(({ workflowId }) => workflowId),
    isInOutbox: false,
    lastError: null,
  };
}
