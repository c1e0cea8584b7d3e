import { afterEach, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { findOutboxBacklog } from '../../db/outbox/outbox-backlog.ts';
import { AttemptShares } from '../../sending/attempt-shares.ts';
import type { SendAttempt } from '../../sending/send-attempt.ts';
import { startOutboxDispatcher, type OutboxDispatcher } from '../../worker/outbox/outbox-dispatcher.ts';
import type { StartWorkflow } from '../../worker/temporal/carry-out.ts';
import { TemporalDoor, TemporalSilent } from '../../worker/temporal/temporal-door.ts';
import type { WorkflowStart } from '../../worker/temporal/workflow-starts.ts';
import type { BurstInput } from '../../workflows/webhook-burst.workflow.ts';
import { aClinic, anEndpoint } from '../support/clinic.ts';
import { suiteDatabase } from '../support/database.ts';
import { testLogger } from '../support/test-logger.ts';
import { until } from '../support/until.ts';
import { insertWaitingDeliveries, type ClinicEndpoint } from '../support/waiting-deliveries.ts';

/** Of a start rate of 20: deliveries that get a workflow of their own at once. */
const OWN = 5;

const dispatchers = new Set<OutboxDispatcher>();
const database = await suiteDatabase();
afterEach(async () => {
  for (const dispatcher of dispatchers) await stop(dispatcher);
  await database.em().execute('DELETE FROM outbox');
});

async function stop(dispatcher: OutboxDispatcher): Promise<void> {
  await dispatcher.stop();
  dispatchers.delete(dispatcher);
}

const made = () => ({
  startedAt: new Date(),
  durationMs: 1,
  url: 'https://receiver.example/hook',
  responseExcerpt: null,
  tlsFault: null,
});
const succeeds: SendAttempt = async () => {
  return { ...made(), outcome: 'succeeded', responseStatus: 204, errorClass: null };
};
const fails: SendAttempt = async () => {
  return { ...made(), outcome: 'failed', responseStatus: 500, errorClass: 'http_5xx' };
};

/** What Temporal was asked to start. */
class Started {
  readonly asked: WorkflowStart[] = [];
  readonly start: StartWorkflow;

  /** @param takes whether it takes a start; false: it was started before */
  constructor(takes: (workflow: WorkflowStart) => Promise<boolean> = () => Promise.resolve(true)) {
    this.start = (workflow) => {
      this.asked.push(workflow);
      return takes(workflow);
    };
  }

  ofType(type: string): WorkflowStart[] {
    return this.asked.filter(({ workflowType }) => workflowType === type);
  }

  inBursts(): string[] {
    return this.ofType('webhookBurst').flatMap(({ args }) => {
      const [{ deliveries }] = args as unknown as [BurstInput];
      return deliveries.map(({ deliveryId }) => deliveryId);
    });
  }
}

function dispatch(send: SendAttempt, { start }: Started): OutboxDispatcher {
  const temporal = new TemporalDoor();
  temporal.opened = () => Promise.resolve();
  const dispatcher = startOutboxDispatcher({
    database,
    databaseUrl: database.url,
    temporal,
    shares: new AttemptShares(),
    send,
    start,
    startsPerSecond: 20,
    reachTemporal: () => Promise.resolve(),
    carryOut: () => Promise.reject(new Error('nothing here asks for another message')),
    logger: testLogger(),
  });
  dispatchers.add(dispatcher);
  return dispatcher;
}

async function newEndpoint(): Promise<ClinicEndpoint> {
  const { tenantId: clinicId } = await aClinic(database);
  return { clinicId, endpointId: await anEndpoint(database, clinicId) };
}

async function wait(endpoint: ClinicEndpoint, count: number): Promise<void> {
  await insertWaitingDeliveries(database.em(), endpoint, count);
}

async function workflowIdsOf({ endpointId }: ClinicEndpoint): Promise<string[]> {
  const { rows } = await sql<{ workflowId: string }>`
    SELECT workflow_id AS "workflowId" FROM webhook_delivery WHERE endpoint_id = ${endpointId} ORDER BY id
  `.execute(database.em().getKysely());
  return rows.map(({ workflowId }) => workflowId);
}

async function pending(): Promise<number> {
  return (await findOutboxBacklog(database.em())).pending;
}

async function untilEmpty(): Promise<void> {
  await until('an empty outbox', async () => (await pending()) === 0);
}

/** As if the worker that recorded their deliveries had died a minute ago. */
function makeBurstsDue(): Promise<unknown> {
  return database.em().execute(`UPDATE outbox SET available_at = now() WHERE ordering_key LIKE 'burst:%'`);
}

test('each delivery that succeeds is in the one workflow that its row names', async () => {
  const [first, second] = [await newEndpoint(), await newEndpoint()];
  await wait(first, 300);
  await wait(second, 20);
  const started = new Started();
  dispatch(succeeds, started);
  await untilEmpty();
  const named = new Set([...(await workflowIdsOf(first)), ...(await workflowIdsOf(second))]);
  expect(started.asked.map(({ workflowId }) => workflowId).toSorted()).toEqual([...named].toSorted());
  const own = started.ofType('webhookDelivery');
  expect(own.length).toBeGreaterThanOrEqual(OWN);
  const inBursts = started.inBursts();
  expect(new Set(inBursts).size).toBe(inBursts.length);
  expect(inBursts.length + own.length).toBe(320);
  for (const { args } of started.ofType('webhookBurst')) {
    const [{ clinicId, deliveries }] = args as unknown as [BurstInput];
    const endpoints = new Set(deliveries.map(({ endpointId }) => endpointId));
    expect([...endpoints]).toEqual([clinicId === first.clinicId ? first.endpointId : second.endpointId]);
  }
});

test('a worker that stops starts what waits', async () => {
  const endpoint = await newEndpoint();
  await wait(endpoint, 100);
  const started = new Started();
  const dispatcher = dispatch(succeeds, started);
  await until('a burst', async () => (await workflowIdsOf(endpoint)).some((id) => id.startsWith('burst:')));
  await stop(dispatcher);
  await until('the records', () => started.inBursts().length > 0);
});

test('what Temporal does not take is in the outbox, and another worker starts it', async () => {
  const endpoint = await newEndpoint();
  await wait(endpoint, 60);
  const refusing = new Started(() => Promise.reject(new TemporalSilent(5000)));
  const cutOff = dispatch(succeeds, refusing);
  await until('all attempts', async () => {
    const { rows } = await sql`SELECT FROM webhook_attempt WHERE tenant_id = ${endpoint.clinicId}`.execute(
      database.em().getKysely(),
    );
    return rows.length === 60;
  });
  await until('a refusal', () => refusing.asked.length > 0);
  await stop(cutOff);
  // Those that are refused at once, and no more: the others would be refused as well.
  expect(refusing.asked.length).toBeLessThan(60);
  const started = new Started();
  dispatch(succeeds, started);
  await untilEmpty();
  expect(started.inBursts().length + started.ofType('webhookDelivery').length).toBe(60);
  await expectEachNamed(endpoint, started);
});

async function expectEachNamed(endpoint: ClinicEndpoint, { asked }: Started): Promise<void> {
  const ids = new Set(asked.map(({ workflowId }) => workflowId));
  for (const workflowId of await workflowIdsOf(endpoint)) expect(ids).toContain(workflowId);
}

test('bursts of a worker that was killed are started by another, one that was started before once more', async () => {
  const endpoint = await newEndpoint();
  await wait(endpoint, 60);
  const silent = Promise.withResolvers<boolean>();
  const killed = new Started(() => silent.promise);
  dispatch(succeeds, killed);
  await until('a burst that is being started', () => killed.ofType('webhookBurst').length > 0);
  await makeBurstsDue();
  const [before] = killed.ofType('webhookBurst');
  const started = new Started(async ({ workflowId }) => workflowId !== before?.workflowId);
  dispatch(succeeds, started);
  await until('the burst', () => started.ofType('webhookBurst').length >= 2);
  await until('the rows of the burst', async () => {
    const { rows } = await sql`SELECT FROM outbox WHERE ordering_key LIKE 'burst:%'`.execute(
      database.em().getKysely(),
    );
    return rows.length === 0;
  });
  const named = (await workflowIdsOf(endpoint)).filter((workflowId) => workflowId.startsWith('burst:'));
  expect(named).not.toContain(before?.workflowId);
  const taken = started.ofType('webhookBurst').map(({ workflowId }) => workflowId);
  for (const workflowId of named) expect(taken).toContain(workflowId);
  silent.resolve(true);
});

test('one clinic’s failed delivery does not wait for its workflow behind another’s hundreds', async () => {
  const [flood, quiet] = [await newEndpoint(), await newEndpoint()];
  await wait(flood, 400);
  await wait(quiet, 1);
  const started = new Started(() => new Promise((resolve) => setImmediate(() => resolve(true))));
  dispatch(fails, started);
  const [ofQuiet = ''] = await workflowIdsOf(quiet);
  const at = () => started.asked.findIndex(({ workflowId }) => workflowId === ofQuiet);
  await until('the workflow', () => at() >= 0);
  expect(at()).toBeLessThan(100);
  await until('all workflows', async () => (await pending()) === 0);
  expect(new Set(started.asked.map(({ workflowId }) => workflowId)).size).toBe(401);
});
