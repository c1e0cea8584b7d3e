import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { claimFirstAttempts } from '../../db/outbox/claim-first-attempts.ts';
import type { DeliveryProgress } from '../../db/webhooks/deliveries/delivery-progress.ts';
import type { StartWorkflow } from '../../worker/outbox/carry-out.ts';
import { DeliveryWorkflows } from '../../worker/outbox/delivery-workflows.ts';
import type { AttemptedDelivery } from '../../worker/outbox/recorded-delivery.ts';
import { LARGEST_BURST } from '../../worker/outbox/burst-queue.ts';
import { MOST_OPEN } from '../../worker/outbox/open-deliveries.ts';
import { Outage } from '../../worker/outbox/outage.ts';
import { OutboxLedger } from '../../worker/outbox/outbox-ledger.ts';
import { StartRate } from '../../worker/outbox/start-rate.ts';
import { TemporalSilent } from '../../worker/temporal-door.ts';
import type { WorkflowStart } from '../../worker/outbox/workflow-starts.ts';
import { aClinic, anEndpoint } from '../support/clinic.ts';
import { openTestDatabase, type OpenTestDatabase } from '../support/database.ts';
import { aLease } from '../support/leases.ts';
import { insertDeliveryRows } from '../support/waiting-deliveries.ts';
import { testLogger } from '../support/test-logger.ts';
import { until } from '../support/until.ts';

const BURSTS = 4;
const OPEN = 60;
/** Of a start rate of 20: deliveries that get a workflow of their own at once. */
const OWN = 5;
const SUCCEEDED = { status: 'succeeded', attemptCount: 1, errorClass: null } as DeliveryProgress;
const RETRYING = { ...SUCCEEDED, status: 'retrying', nextAttemptAt: new Date() } as DeliveryProgress;

let database: OpenTestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());

async function noOutage(): Promise<Outage> {
  const reached = () => Promise.resolve();
  const { signal } = new AbortController();
  const outage = new Outage({
    temporal: { opened: reached },
    reachTemporal: reached,
    logger: testLogger(),
    signal,
  });
  await outage.over();
  return outage;
}

async function workflowsStartedBy(start: StartWorkflow, startsPerSecond = 20) {
  const ledger = new OutboxLedger({ database, logger: testLogger(), onDeleted: () => {} });
  const outage = await noOutage();
  return {
    ledger,
    workflows: new DeliveryWorkflows({
      database,
      ledger,
      outage,
      start,
      startRate: new StartRate(startsPerSecond),
      logger: testLogger(),
    }),
  };
}

/** Which workflows a worker that stops asked Temporal for. */
async function askedForWhenStopped(
  wait: (workflows: DeliveryWorkflows) => void,
  answer: () => Promise<void>,
): Promise<string[]> {
  const asked: string[] = [];
  const start = ({ workflowId }: WorkflowStart) => {
    asked.push(workflowId);
    return answer();
  };
  const { workflows, ledger } = await workflowsStartedBy(start);
  wait(workflows);
  await workflows.settled();
  await ledger.settled();
  return asked;
}

function bursts(workflows: DeliveryWorkflows): void {
  const { delivery } = row(0);
  for (let i = 0; i < OWN + BURSTS * LARGEST_BURST; i += 1) {
    const burst = workflows.planRecord(delivery.tenantId);
    const workflowId = burst ?? `delivery:${i}`;
    workflows.keepRecord({ ...row(i), delivery }, { ...SUCCEEDED, workflowId }, burst);
  }
}

function openOnes(workflows: DeliveryWorkflows): void {
  for (let i = 0; i < OPEN; i += 1) workflows.goOn(row(i), { ...RETRYING, workflowId: `delivery:${i}` });
}

function row(number: number): AttemptedDelivery {
  const id = `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`;
  const delivery = {
    deliveryId: id,
    tenantId: id,
    endpointId: id,
    eventType: 'nps.submitted',
    appointmentId: null,
  };
  return { outboxId: String(number + 1), claimedBy: id, failures: 0, delivery } as AttemptedDelivery;
}

test('a worker that stops starts what waits', async () => {
  const taken = () => Promise.resolve();
  expect(await askedForWhenStopped(bursts, taken)).toHaveLength(OWN + BURSTS);
  expect(await askedForWhenStopped(openOnes, taken)).toHaveLength(OPEN);
});

test('when Temporal takes nothing, a worker that stops leaves the rest to the next one', async () => {
  const refused = () => Promise.reject(new Error('away'));
  // One of each kind: deliveries with workflows of their own, and bursts.
  expect(await askedForWhenStopped(bursts, refused)).toHaveLength(2);
  expect((await askedForWhenStopped(openOnes, refused)).length).toBeLessThan(OPEN);
});

test('when Temporal does not answer for one of those that end, the others are left to another worker', async () => {
  const asked: string[] = [];
  const start = ({ workflowId }: WorkflowStart) => {
    asked.push(workflowId);
    return Promise.reject(new TemporalSilent(5000));
  };
  const { workflows, ledger } = await workflowsStartedBy(start);
  for (let i = 0; i < OWN; i += 1) {
    expect(workflows.planRecord('clinic')).toBeNull();
    workflows.keepRecord(row(i), { ...SUCCEEDED, workflowId: `delivery:${i}` }, null);
  }
  await until('a workflow that was asked for', () => asked.length > 0);
  await workflows.settled();
  await ledger.settled();
  expect(asked).toEqual(['delivery:0']);
});

test('one clinic’s failed delivery does not wait for its workflow behind another’s hundreds', async () => {
  const FLOOD = 2 * MOST_OPEN;
  const toLast = `delivery:${FLOOD}`;
  const taken = () => new Promise<void>((resolve) => setImmediate(resolve));
  const asked = await askedForWhenStopped((workflows) => {
    for (let i = 0; i <= FLOOD; i += 1) {
      const { delivery, ...ofOutbox } = row(i);
      const tenantId = i < FLOOD ? row(0).delivery.tenantId : delivery.tenantId;
      workflows.goOn(
        { ...ofOutbox, delivery: { ...delivery, tenantId } },
        { ...RETRYING, workflowId: `delivery:${i}` },
      );
    }
  }, taken);
  expect(asked.length).toBeLessThan(FLOOD);
  expect(asked.indexOf(toLast)).toBeGreaterThan(0);
  expect(asked.indexOf(toLast)).toBeLessThan(20);
});

test('as long as Temporal does not answer, no more than some of the deliveries that wait for it are held in memory', async () => {
  const { tenantId: clinicId } = await aClinic(database);
  const endpointId = await anEndpoint(database, clinicId);
  await insertDeliveryRows(database.em(), { clinicId, endpointId }, 1000);
  const all = { ids: [], free: [], unlisted: 1000 };
  const free = { endpoint: all, clinic: all, host: all };
  const workerId = await aLease(database.em());
  const claimed = await claimFirstAttempts(database.em(), { workerId, limit: 1000, free });
  const { workflows, ledger } = await workflowsStartedBy(() => new Promise(() => {}));
  for (const each of claimed) {
    workflows.goOn(
      { ...row(1), ...each, delivery: row(1).delivery },
      { ...RETRYING, workflowId: 'delivery:1' },
    );
  }
  await ledger.settled();
  const { rows } = await sql`SELECT FROM outbox WHERE attempted AND claimed_by IS NULL`.execute(
    database.em().getKysely(),
  );
  expect(rows.length).toBeGreaterThan(700);
  expect(workflows.room()).toBe(0);
});
