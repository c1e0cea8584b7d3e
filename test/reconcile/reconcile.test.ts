import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { uuidv7 } from 'uuidv7';
import { MailFailure, type Mailer } from '../../adapters/mail/mailer.ts';
import { createRunningWorkflows } from '../../adapters/temporal/running-workflows.ts';
import { NotificationEntity } from '../../db/entities/webhooks/notification.entity.ts';
import { insertOutboxMessages } from '../../db/outbox/insert-messages.ts';
import { CLINIC_QUEUE, noShowWorkflowId, RECONCILE_WORKFLOW } from '../../domain/temporal-names.ts';
import type { ReconcileInput, ReconcileResult } from '../../workflows/reconcile.workflow.ts';
import { aClinic, anEndpoint, book, change, inHours, type TestClinic } from '../support/clinic.ts';
import { answerWith } from '../support/servers/receiver.ts';
import { until } from '../support/until.ts';
import { anEventUsedUp } from '../webhooks/recorded-attempts.ts';
import { createWorkerSurroundings, type RunningWorker } from '../worker/running-worker.ts';
import { forSuite } from '../support/for-suite.ts';

const surroundings = await forSuite(createWorkerSurroundings());
const { database } = surroundings;
afterEach(async () => {
  await surroundings.database.em().execute('TRUNCATE tenant CASCADE; DELETE FROM outbox');
});

const NOTHING = { overdueNoShows: 0, appointments: 0, deliveries: 0, endpoints: 0, replays: 0 };

function temporal<T>(work: Parameters<typeof surroundings.namespace.temporal.ask<T>>[0]): Promise<T> {
  return surroundings.namespace.temporal.ask(work);
}

/** One run, as the schedule starts it; needs a worker. In the first hour of a day it also looks at far appointments: there are none. */
async function reconcile(): Promise<ReconcileResult> {
  const options = {
    taskQueue: CLINIC_QUEUE,
    workflowId: `reconcile-${uuidv7()}`,
    args: [{}] as [ReconcileInput],
  };
  const { farAppointments = 0, ...repaired } = await temporal((client) =>
    client.workflow.execute<(input: ReconcileInput) => Promise<ReconcileResult>>(RECONCILE_WORKFLOW, options),
  );
  expect(farAppointments).toBe(0);
  return repaired;
}

/** Ten minutes pass for everything in the database but the outbox. */
async function tenMinutesPass(): Promise<void> {
  for (const table of ['appointment', 'webhook_delivery', 'webhook_replay', 'notification']) {
    await execute(`UPDATE ${table} SET created_at = created_at - interval '10 minutes'`);
  }
}

function execute(text: string): Promise<unknown> {
  return surroundings.database.em().execute(text);
}

async function untilToldAll(): Promise<void> {
  await until('an empty outbox', async () => {
    const { rows } = await sql`SELECT 1 FROM outbox`.execute(surroundings.database.em().getKysely());
    return rows.length === 0;
  });
}

/** How an operator ends a workflow; returns when the list knows of it too. */
async function terminate(workflowId: string): Promise<void> {
  await untilStatus(workflowId, 'RUNNING');
  await temporal((client) => client.workflow.getHandle(workflowId).terminate('by mistake'));
  await until(
    'the list to know',
    async () => (await runs(workflowId, `AND ExecutionStatus = 'Terminated'`)) > 0,
  );
}

async function runs(workflowId: string, and = ''): Promise<number> {
  const found = await temporal((client) => client.workflow.count(`WorkflowId = '${workflowId}' ${and}`));
  return found.count;
}

async function untilStatus(workflowId: string, status: string): Promise<void> {
  await until(`${workflowId} to be ${status}`, async () => {
    const found = await temporal((client) => client.workflow.getHandle(workflowId).describe()).catch(
      () => null,
    );
    return found?.status.name === status;
  });
}

async function theDelivery(
  appointmentId: string,
): Promise<{ id: string; workflowId: string; status: string }> {
  const { rows } = await sql<{ id: string; workflowId: string; status: string }>`
    SELECT id, workflow_id AS "workflowId", status FROM webhook_delivery WHERE appointment_id = ${appointmentId}
  `.execute(surroundings.database.em().getKysely());
  if (!rows[0]) throw new Error('the appointment has no delivery');
  return rows[0];
}

describe('while a worker runs', () => {
  let worker: RunningWorker;
  beforeAll(async () => {
    worker = await surroundings.startWorker();
  });
  afterAll(() => worker.stop());

  test('a timer that an operator terminated comes back and still gets the check-in; nothing else is touched', async () => {
    const clinic = await aClinic(database);
    const [lost, kept] = [
      await book(database, clinic, { startsAt: inHours(30) }),
      await book(database, clinic, { startsAt: inHours(31) }),
    ];
    await untilToldAll();
    await terminate(noShowWorkflowId(lost.id));
    // Too young: it could still be on its way.
    expect(await reconcile()).toEqual(NOTHING);
    await tenMinutesPass();
    expect(await reconcile()).toEqual({ ...NOTHING, appointments: 1 });
    await untilStatus(noShowWorkflowId(lost.id), 'RUNNING');
    expect(await reconcile()).toEqual(NOTHING);
    await change(database, clinic, lost.id, { status: 'attended' });
    const result: unknown = await temporal((client) =>
      client.workflow.getHandle(noShowWorkflowId(lost.id)).result(),
    );
    expect(result).toEqual({ outcome: 'checked_in' });
    expect(await runs(noShowWorkflowId(kept.id))).toBe(1);
  });

  test('what ended normally is not started again', async () => {
    const clinic = await aClinic(database);
    const receiver = await surroundings.startReceiver();
    await surroundings.subscribe(clinic.tenantId, receiver.url(), ['appointment.created']);
    const settled = await book(database, clinic, { startsAt: inHours(32) });
    await receiver.received(1);
    await change(database, clinic, settled.id, { status: 'cancelled' });
    await untilStatus(noShowWorkflowId(settled.id), 'COMPLETED');
    const { workflowId } = await theDelivery(settled.id);
    await untilStatus(workflowId, 'COMPLETED');
    await untilToldAll();
    await tenMinutesPass();
    expect(await reconcile()).toEqual(NOTHING);
    expect(await runs(workflowId)).toBe(1);
    expect(receiver.requests).toHaveLength(1);
  });

  test('a delivery that was terminated between two attempts goes on with the next', async () => {
    const clinic = await aClinic(database);
    const receiver = await surroundings.startReceiver();
    receiver.script(answerWith(503, 'later'));
    await surroundings.subscribe(clinic.tenantId, receiver.url());
    const appointment = await book(database, clinic, { startsAt: inHours(35) });
    await until('the failure', async () => (await theDelivery(appointment.id)).status === 'retrying');
    const { workflowId } = await theDelivery(appointment.id);
    await terminate(workflowId);
    await tenMinutesPass();
    await execute(`UPDATE webhook_delivery SET next_attempt_at = now()`);
    expect(await reconcile()).toEqual({ ...NOTHING, deliveries: 1 });
    const [, second] = await receiver.received(2);
    expect(second?.headers['x-service-attempt']).toBe('2');
    await until('the success', async () => (await theDelivery(appointment.id)).status === 'succeeded');
    expect(await reconcile()).toEqual(NOTHING);
    expect(receiver.requests).toHaveLength(2);
  });

  test('a failing endpoint gets its watch back; a mail that was not sent is sent', async () => {
    const clinic = await aClinic(database);
    const failing = await aFailingEndpoint(clinic);
    const unmailed = await anEndpoint(database, clinic.tenantId);
    const healthy = await anEndpoint(database, clinic.tenantId);
    const notification = {
      id: uuidv7(),
      tenantId: clinic.tenantId,
      endpointId: unmailed,
      mail: 'due' as const,
    };
    await database.write((em) =>
      em.insert(NotificationEntity, {
        ...notification,
        kind: 'endpoint_deactivated',
        endpointUrl: 'https://receiver.example/hook',
        deactivateAt: new Date(),
        createdAt: new Date(),
      }),
    );
    await tenMinutesPass();
    expect(await reconcile()).toEqual({ ...NOTHING, endpoints: 2 });
    await untilStatus(`endpoint:${failing}`, 'RUNNING');
    await untilStatus(`endpoint:${unmailed}`, 'COMPLETED');
    const mailed = await database.em().findOneOrFail(NotificationEntity, { id: notification.id });
    // This deployment has no mail server; that was found out by trying.
    expect(mailed.mail).toBe('no_server');
    expect(await runs(`endpoint:${healthy}`)).toBe(0);
    expect(await reconcile()).toEqual(NOTHING);
  });

  test('a replay that was terminated is taken up again', async () => {
    const clinic = await aClinic(database);
    const endpointId = await anEndpoint(database, clinic.tenantId);
    const replayId = uuidv7();
    await sql`
      INSERT INTO webhook_replay (id, tenant_id, endpoint_id, since, until, include)
      VALUES (${replayId}, ${clinic.tenantId}, ${endpointId}, now() - interval '1 day', now(), 'all')
    `.execute(database.em().getKysely());
    await tenMinutesPass();
    expect(await reconcile()).toEqual({ ...NOTHING, replays: 1 });
    await untilStatus(`replay:${replayId}`, 'COMPLETED');
    expect(await reconcile()).toEqual(NOTHING);
  });

  test('a restart that is carried out twice leaves the running workflow alone', async () => {
    const clinic = await aClinic(database);
    const { id: appointmentId, startsAt } = await book(database, clinic, { startsAt: inHours(36) });
    await untilToldAll();
    const restart = {
      kind: 'startNoShow' as const,
      appointmentId,
      clinicId: clinic.tenantId,
      dueAt: startsAt.toISOString(),
      isRestart: true as const,
    };
    for (let times = 0; times < 2; times += 1) {
      await database.write((em) => insertOutboxMessages(em, restart));
      await untilToldAll();
    }
    expect(await runs(noShowWorkflowId(appointmentId))).toBe(1);
  });

  test('a list that lags behind, or is empty, does not make running workflows look lost', async () => {
    const clinic = await aClinic(database);
    const { id } = await book(database, clinic, { startsAt: inHours(37) });
    await untilToldAll();
    const ids = [noShowWorkflowId(id), noShowWorkflowId(uuidv7()), `o'clock`];
    await temporal(async (client) => {
      expect(await createRunningWorkflows(client).missingAmong(ids)).toEqual(
        expect.arrayContaining(ids.slice(1)),
      );
      const forgetful = Object.create(client, {
        workflow: {
          value: {
            async *list() {},
            getHandle: (workflowId: string) => client.workflow.getHandle(workflowId),
          },
        },
      }) as typeof client;
      const missing = await createRunningWorkflows(forgetful).missingAmong(ids);
      expect(missing.toSorted()).toEqual(ids.slice(1).toSorted());
    });
  });
});

test('a timer, a delivery and the watch over an endpoint that an operator cancelled come back', async () => {
  const clinic = await aClinic(database);
  const { tenantId } = clinic;
  const receiver = await surroundings.startReceiver();
  receiver.script(answerWith(503, 'later'));
  await surroundings.subscribe(tenantId, receiver.url(), ['appointment.created']);
  const mailer: Mailer = {
    send: () => Promise.reject(new MailFailure('The mail server is away', false)),
    close: () => undefined,
  };
  const { stop } = await surroundings.startWorker({ mailer });
  const { id: appointmentId } = await book(database, clinic, { startsAt: inHours(40) });
  await until('the failure', async () => (await theDelivery(appointmentId)).status === 'retrying');
  await execute(`UPDATE tenant SET email = 'geral@sorriso.example' WHERE id = '${tenantId}'`);
  const endpointId = await anEndpoint(database, tenantId, ['nps.*']);
  await anEventUsedUp(database, { tenantId, endpointId });
  const ids = [
    noShowWorkflowId(appointmentId),
    (await theDelivery(appointmentId)).workflowId,
    `endpoint:${endpointId}`,
  ];
  for (const id of ids) await untilStatus(id, 'RUNNING');
  await untilToldAll();

  for (const id of ids) await temporal((client) => client.workflow.getHandle(id).cancel());
  for (const id of ids) await untilStatus(id, 'CANCELLED');
  await tenMinutesPass();
  await execute(`UPDATE webhook_endpoint SET failing_since = failing_since - interval '10 minutes'`);
  expect(await reconcile()).toEqual({ ...NOTHING, appointments: 1, deliveries: 1, endpoints: 1 });
  for (const id of ids) await untilStatus(id, 'RUNNING');
  await stop();
});

test('outbox rows that were lost are made up for: the timer starts, the event arrives, once', async () => {
  const clinic = await aClinic(database);
  const receiver = await surroundings.startReceiver();
  await surroundings.subscribe(clinic.tenantId, receiver.url());
  const appointment = await book(database, clinic, { startsAt: inHours(33) });
  await execute('DELETE FROM outbox');
  await tenMinutesPass();
  const { stop } = await surroundings.startWorker();
  expect(await reconcile()).toEqual({ ...NOTHING, appointments: 1, deliveries: 1 });
  await receiver.received(1);
  await untilStatus(noShowWorkflowId(appointment.id), 'RUNNING');
  await until('the success', async () => (await theDelivery(appointment.id)).status === 'succeeded');
  expect(await reconcile()).toEqual(NOTHING);
  expect(receiver.requests).toHaveLength(1);
  await stop();
});

test('what the outbox still holds is left to it', async () => {
  const clinic = await aClinic(database);
  await anEndpoint(database, clinic.tenantId);
  await book(database, clinic, { startsAt: inHours(34) });
  // As if Temporal were refusing them.
  await execute(
    `UPDATE outbox SET available_at = now() + interval '1 hour', failures = 9, last_error = 'refused'`,
  );
  await tenMinutesPass();
  const { stop } = await surroundings.startWorker();
  expect(await reconcile()).toEqual(NOTHING);
  await stop();
});

test('a no-show that no one has marked is marked, once, with its event', async () => {
  const clinic = await aClinic(database);
  const overdue = await book(database, clinic, { startsAt: inHours(-2), mayBackdate: true });
  await execute('DELETE FROM outbox');
  await tenMinutesPass();
  const { stop } = await surroundings.startWorker();
  const found = await Promise.all([reconcile(), reconcile(), reconcile()]);
  expect(found.reduce((sum, { overdueNoShows = 0 }) => sum + overdueNoShows, 0)).toBe(1);
  expect(await reconcile()).toEqual(NOTHING);
  const { rows } = await sql`
    SELECT status, (
      SELECT array_agg(actor || ' ' || kind ORDER BY id) FROM appointment_change WHERE appointment_id = appointment.id
    ) AS changes
    FROM appointment WHERE id = ${overdue.id}
  `.execute(database.em().getKysely());
  expect(rows).toEqual([{ status: 'no_show', changes: ['operator created', 'workflow:reconcile no_show'] }]);
  await stop();
});

test('reconciliations that run at once ask once for each missing workflow', async () => {
  const clinic = await aClinic(database, { professionals: 8 });
  const appointments = await Promise.all(
    clinic.professionalIds.map((professionalId) => book(database, clinic, { professionalId })),
  );
  await execute('DELETE FROM outbox');
  await tenMinutesPass();
  const workers = [await surroundings.startWorker(), await surroundings.startWorker()];
  await Promise.all(Array.from({ length: 6 }, reconcile));
  for (const { id } of appointments) await untilStatus(noShowWorkflowId(id), 'RUNNING');
  expect(await reconcile()).toEqual(NOTHING);
  for (const { id } of appointments) {
    await until('the list to know', async () => (await runs(noShowWorkflowId(id))) > 0);
    expect(await runs(noShowWorkflowId(id))).toBe(1);
  }
  for (const worker of workers) await worker.stop();
});

async function aFailingEndpoint({ tenantId }: TestClinic): Promise<string> {
  const id = await anEndpoint(surroundings.database, tenantId);
  await execute(`
    UPDATE webhook_endpoint
    SET status = 'failing', failing_since = now() - interval '1 hour', deactivate_at = now() + interval '23 hours'
    WHERE id = '${id}'
  `);
  return id;
}
