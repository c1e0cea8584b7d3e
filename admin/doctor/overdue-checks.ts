import type { Temporal } from '../../adapters/temporal/connect-temporal.ts';
import { whyWorkflowWaits } from '../../adapters/temporal/why-workflow-waits.ts';
import { findOverdueNoShows } from '../../db/appointments/overdue-no-shows.ts';
import type { Database } from '../../db/connection/open-database.ts';
import { findOverdueDeactivations, findOverdueMails } from '../../db/webhooks/overdue-endpoints.ts';
import { findOverdueDeliveries } from '../../db/webhooks/overdue-deliveries.ts';
import type { Overdue } from '../../domain/overdue.ts';
import { Ailment } from './check.ts';

export async function examineDeliveries(database: Database, temporal: Temporal): Promise<string> {
  const overdue = await findOverdueDeliveries(database.em());
  if (overdue.length === 0) return 'none overdue';
  const groups = overdue.map(async (group) => {
    return `${group.count} ${group.status}, attempt ${group.attempt} ${await describeOverdue(group, temporal)}`;
  });
  throw new Ailment((await Promise.all(groups)).join('; '));
}

export async function examineNoShows(
  database: Database,
  temporal: Temporal,
  graceSeconds: number,
): Promise<string> {
  const overdue = await findOverdueNoShows(database.em(), graceSeconds);
  if (!overdue) return 'none overdue';
  throw new Ailment(`${overdue.count} appointments, no-show ${await describeOverdue(overdue, temporal)}`);
}

/** What each failing endpoint's workflow should have done by now. */
export async function examineEndpoints(database: Database, temporal: Temporal): Promise<string> {
  const late = {
    'to be switched off': await findOverdueDeactivations(database.em()),
    'mails to be sent': await findOverdueMails(database.em()),
  };
  const found = Object.entries(late).map(async ([what, overdue]) => {
    return overdue ? [`${overdue.count} ${what}, ${await describeOverdue(overdue, temporal)}`] : [];
  });
  const details = (await Promise.all(found)).flat();
  if (details.length === 0) return 'none overdue';
  throw new Ailment(details.join('; '));
}

async function describeOverdue(overdue: Overdue, temporal: Temporal): Promise<string> {
  const { oldestIds, seconds } = overdue;
  const reason = await reasonOf(overdue, temporal);
  return `overdue for up to ${Math.round(seconds)} s (${oldestIds.join(', ')}): ${reason}`;
}

async function reasonOf({ workflowId, isInOutbox, lastError }: Overdue, temporal: Temporal): Promise<string> {
  if (lastError !== null) return lastError;
  if (isInOutbox) return 'no worker has taken it from the outbox';
  return temporal
    .ask((client) => whyWorkflowWaits(client, workflowId))
    .catch(() => 'Temporal does not say why');
}
