import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { WebhookDeliveryEntity } from '../../db/entities/webhooks/webhook-delivery.entity.ts';
import { deliveryHeaders } from '../../domain/webhooks/webhook-headers.ts';
import { inDirectory } from '../docs/languages.ts';
import { appointmentsIn, createApiClient } from '../support/api-client.ts';
import { anyOf } from '../support/any-of.ts';
import { aClinic } from '../support/clinic.ts';
import type { TestApi } from '../support/servers/api-server.ts';
import { until } from '../support/until.ts';
import { ConnectorProcess } from './connector-process.ts';
import {
  asLine,
  calendarOf,
  eventsFor,
  practiceBooks,
  practiceChanges,
  receptionActs,
  type Shown,
} from './practice.ts';
import { startUnsteadyProxy } from './unsteady-proxy.ts';

export type DeliveryKind = 'push' | 'pull';

/** Acts as the service's senders. */
interface Sender {
  /** Sends what waits, in any order: some of it is lost on the way, some arrives twice. */
  send(): Promise<void>;
  /** What the service has given up on never arrives. */
  giveUp(share: number): Promise<void>;
  isDone(): Promise<boolean>;
}

/**
 * Both sides change their books while requests, responses and events are lost. Then the connector is killed during
 * its work, stays away while the reception goes on, and starts with an older state. In the end both books are equal.
 */
export function booksAreEqualAfterOutage(
  api: TestApi,
  command: readonly string[],
  { kind, operations }: { kind: DeliveryKind; operations: number },
): Promise<void> {
  return inDirectory({}, async (directory) => {
    await using stack = new AsyncDisposableStack();
    const clinic = await aClinic(api.database, { professionals: 2 });
    const { tenantId } = clinic;
    const proxy = stack.use(await startUnsteadyProxy(api.url));
    const key = await api.keyOf({ tenantId });
    const { body: endpoint } = await createEndpoint(createApiClient(api.url, key), kind);
    const [endpointId, secret] = [String(endpoint['id']), String(endpoint['secret'])];
    const mode: Record<string, string> =
      kind === 'pull' ? { ENDPOINT_ID: endpointId } : { WEBHOOK_SECRET: secret };
    const environment = { API_URL: proxy.url, API_KEY: key, ...mode };
    const connector = stack.use(await ConnectorProcess.at(directory, command, environment));
    const hook = stack.use(await startUnsteadyProxy(connector.url));
    const sender = kind === 'pull' ? IDLE : aSender(api, { tenantId, endpointId, secret, url: hook.url });
    const reception = createApiClient(api.url, await api.keyOf({ tenantId }));
    const practice = { clinic, program: connector, reception };
    const steps = [practiceBooks, practiceChanges, receptionActs, receptionActs];
    const work = async (count: number) => {
      for (let done = 0; done < count;) {
        const together = Array.from({ length: 4 }, () => anyOf(steps)(practice));
        const [counts] = await Promise.all([Promise.all(together), sender.send()]);
        done += counts.reduce((sum, count) => sum + count, 0);
      }
    };
    const oldState = join(directory, 'old.jsonl');

    await connector.start();
    await work(operations / 5);
    copyFileSync(connector.stateFile, oldState);
    await work(operations / 5);
    await killInMidBatch(connector, () => receptionActs(practice), sender);
    for (let done = 0; done < operations / 5;) done += await receptionActs(practice);
    await sender.giveUp(0.1);
    copyFileSync(oldState, connector.stateFile);
    await connector.start();
    for (let turns = 0; turns < 4; turns += 1) {
      await work(operations / 10);
      await killInMidBatch(connector, () => receptionActs(practice), sender);
      await connector.start();
    }

    proxy.calmDown();
    hook.calmDown();
    await until('everything to be sent', async () => {
      await sender.send();
      const { wishes, unacknowledged } = await connector.report();
      return wishes === 0 && unacknowledged === 0 && (await sender.isDone());
    });
    const lines = async () => ((await connector.report()).book as unknown as Shown[]).map(asLine).sort();
    const calendar = await calendarOf(reception);
    // What differs is said below.
    await until('the last events', async () => String(await lines()) === String(calendar)).catch(() => null);
    expect(await lines()).toEqual(calendar);
    expect(calendar.length).toBeGreaterThan(operations / 10);
    const isOwn = ({ source, version }: Shown) => source === 'sync_external' && version === 1;
    const unwritten = appointmentsIn(await reception.get('/v1/appointments', { acknowledged: 'false' }));
    expect(unwritten.filter((shown) => !isOwn(shown))).toEqual([]);
  });
}

async function createEndpoint(client: ReturnType<typeof createApiClient>, kind: DeliveryKind) {
  const { body: own } = await client.get('/v1/api-keys/me');
  const where = kind === 'pull' ? { delivery: 'pull' } : { url: 'https://pms.example/hook' };
  const subscription = { events: ['appointment.*'], ignoreActors: [own['id']] };
  return client.post('/v1/webhook-endpoints', { ...where, ...subscription });
}

/** While it has something to send, or has just been given something. */
async function killInMidBatch(
  connector: ConnectorProcess,
  act: () => Promise<number>,
  sender: Sender,
): Promise<void> {
  await until('work for the connector', async () => {
    await act();
    await sender.send();
    const { wishes, unacknowledged } = await connector.report();
    return wishes + unacknowledged > 0;
  });
  await connector.kill();
}

/** Events that are under way together. */
const AT_ONCE = 20;

/** A queue is read, and nothing of it is lost. */
const IDLE: Sender = { send: async () => undefined, giveUp: async () => undefined, isDone: async () => true };

function aSender(
  { database }: TestApi,
  {
    tenantId,
    endpointId,
    secret,
    url,
  }: { tenantId: string; endpointId: string; secret: string; url: string },
): Sender {
  const gone = new Set<string>();
  const waiting = (limit?: number) => eventsFor(database, endpointId, gone, limit);
  const post = async ({ id, body }: { id: string; body: string }) => {
    const delivery = await database
      .em()
      .findOneOrFail(WebhookDeliveryEntity, { tenantId, endpointId, eventId: id });
    const of = { eventId: id, eventType: delivery.eventType, deliveryId: delivery.id, attempt: 1 };
    const headers = deliveryHeaders({ ...of, secrets: [secret], signedAt: new Date(), body });
    const answer = await fetch(`${url}/hook`, { method: 'POST', headers, body }).catch(() => null);
    if (answer?.ok && Math.random() < 0.9) gone.add(id);
  };
  return {
    send: async () => void (await Promise.all((await waiting(AT_ONCE)).map(post))),
    giveUp: async (share) => {
      for (const { id } of await waiting()) if (Math.random() < share) gone.add(id);
    },
    isDone: async () => (await waiting(1)).length === 0,
  };
}
