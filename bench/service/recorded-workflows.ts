import { Client, Connection } from '@temporalio/client';
import { createCaller, expectJson } from '../load/caller.ts';
import { patiently } from '../until.ts';
import type { Clinic } from './clinics.ts';
import type { Service } from './start-service.ts';

const LOOK_EVERY_MS = 1_000;
const PAGE = 100;

interface Delivery {
  eventId: string;
  workflowId: string | null;
}

/** How many deliveries of these events name no workflow that exists in Temporal when the time has ended. */
export async function countUnrecorded(
  service: Service,
  clinics: readonly Clinic[],
  eventIds: readonly string[],
  since: Date,
  limitMs: number,
): Promise<number> {
  const wanted = new Set(eventIds);
  const { apiUrl, temporalAddress, temporalNamespace } = await service.running();
  const connection = await Connection.connect({ address: temporalAddress });
  const client = new Client({ connection, namespace: temporalNamespace });
  let unrecorded = wanted.size;
  try {
    await patiently(
      async () => {
        const rows = (
          await Promise.all(clinics.map((clinic) => deliveriesOf(apiUrl, clinic, wanted)))
        ).flat();
        const existing = await existingWorkflows(client, since);
        unrecorded = wanted.size - rows.filter(({ workflowId }) => existing.has(workflowId ?? '')).length;
        return unrecorded === 0;
      },
      limitMs,
      LOOK_EVERY_MS,
    );
  } finally {
    await connection.close();
  }
  return unrecorded;
}

/** Latest first, so reading ends with the first page that holds none of the wanted ones. */
async function deliveriesOf(apiUrl: string, clinic: Clinic, wanted: Set<string>): Promise<Delivery[]> {
  const caller = createCaller(apiUrl, clinic, 1);
  const found: Delivery[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const path = `/v1/webhook-deliveries?limit=${PAGE}${cursor === '' ? '' : `&cursor=${cursor}`}`;
    const page: { items: Delivery[]; nextCursor: string | null } = await expectJson(caller.send('GET', path));
    const mine = page.items.filter(({ eventId }) => wanted.has(eventId));
    found.push(...mine);
    cursor = mine.length === 0 ? null : page.nextCursor;
  }
  await caller.close();
  return found;
}

async function existingWorkflows(client: Client, since: Date): Promise<Set<string>> {
  const ids = new Set<string>();
  const query = `WorkflowType IN ("webhookDelivery", "webhookBurst") AND StartTime >= "${since.toISOString()}"`;
  for await (const { workflowId } of client.workflow.list({ query, pageSize: 1000 })) ids.add(workflowId);
  return ids;
}
