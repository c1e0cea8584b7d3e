import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client } from '@temporalio/client';
import { sql } from 'kysely';
import { Stripe } from 'stripe';
import { retryEndpointNow, retryDeliveryNow } from '../../commands/webhooks/sending-again/retry-now.ts';
import { findOutboxBacklog } from '../../db/outbox/outbox-backlog.ts';
import { noShowWorkflowId } from '../../domain/temporal-names.ts';
import { createCarryOut, createStartWorkflow } from '../../worker/temporal/carry-out.ts';
import { burstStart } from '../../worker/temporal/workflow-starts.ts';
import { aClinic, asOperator, book, change, inHours, type TestClinic } from '../support/clinic.ts';
import { answerWith } from '../support/servers/receiver.ts';
import { makeAttemptsUnwritable } from '../support/unwritable-attempts.ts';
import { until } from '../support/until.ts';
import { layLine } from '../worker/cuttable-line.ts';
import { createWorkerSurroundings, type RunningWorker } from '../worker/running-worker.ts';
import { forSuite } from '../support/for-suite.ts';

let clinic: TestClinic;
let nextHour = 24;

const surroundings = await forSuite(createWorkerSurroundings());
const { temporal } = surroundings.namespace;

/** A clinic of the test's own, whose every event goes to `url`. */
async function aClinicWithReceiver() {
  clinic = await aClinic(surroundings.database);
  const receiver = await surroundings.startReceiver();
  const { endpointId, secret } = await surroundings.subscribe(clinic.tenantId, receiver.url());
  return { receiver, endpointId, secret };
}

function bookOne() {
  nextHour += 1;
  return book(surroundings.database, clinic, { startsAt: inHours(nextHour) });
}

const NOT_YET = { status: { name: 'not started' }, searchAttributes: {} };

interface DeliveryRow {
  id: string;
  workflow_id: string;
  status: string;
  attempt_count: number;
}

async function theDelivery(appointmentId: string): Promise<DeliveryRow> {
  const { rows } = await sql<DeliveryRow>`
    SELECT id, workflow_id, status, attempt_count FROM webhook_delivery WHERE appointment_id = ${appointmentId}
  `.execute(surroundings.database.em().getKysely());
  const [row, ...others] = rows;
  if (!row || others.length > 0) throw new Error('expected one delivery');
  return row;
}

function untilStatus(appointmentId: string, status: string): Promise<DeliveryRow> {
  return until(`a delivery that is ${status}`, async () => {
    const delivery = await theDelivery(appointmentId);
    return delivery.status === status && delivery;
  });
}

function describeWorkflow(workflowId: string) {
  return surroundings.namespace.temporal.ask((client) => client.workflow.getHandle(workflowId).describe());
}

describe('while a worker runs', () => {
  let worker: RunningWorker;
  beforeAll(async () => {
    worker = await surroundings.startWorker();
  });
  afterAll(() => worker.stop());

  test('a booking reaches the receiver signed; its timer and the record of its delivery follow', async () => {
    const { receiver, secret, endpointId } = await aClinicWithReceiver();
    const appointment = await bookOne();
    const [request] = await receiver.received(1);
    const signature = String(request?.headers['x-service-signature']);
    const event = Stripe.webhooks.constructEvent(request?.body ?? '', signature, secret);
    expect(event).toMatchObject({
      type: 'appointment.created',
      data: { appointment: { id: appointment.id } },
    });

    const delivery = await untilStatus(appointment.id, 'succeeded');
    await until(
      'both workflows',
      async () => (await findOutboxBacklog(surroundings.database.em())).pending === 0,
    );
    const noShow = await describeWorkflow(noShowWorkflowId(appointment.id));
    expect(noShow.searchAttributes).toMatchObject({
      ClinicId: [clinic.tenantId],
      AppointmentId: [appointment.id],
      NextAttemptAt: [new Date(appointment.startsAt.getTime() + 1_800_000)],
    });
    expect(await noShow.staticSummary()).toMatch(/^No-show at .* unless checked in$/);
    const carrier = await describeWorkflow(delivery.workflow_id);
    const { searchAttributes } = carrier;
    expect(await carrier.staticSummary()).toBe(
      `appointment.created to ${new URL(receiver.url()).host}. Attempt 1: succeeded`,
    );
    expect(searchAttributes).toMatchObject({
      ClinicId: [clinic.tenantId],
      AppointmentId: [appointment.id],
      EndpointId: [endpointId],
      EventType: ['appointment.created'],
    });
    expect(searchAttributes).not.toHaveProperty('DeliveryStatus');
    const exposed = await worker.metrics.expose();
    expect(exposed).toContain('workflow_starts_total{workflow="webhookDelivery",eager="false"} 1');
    expect(exposed).toContain('workflow_starts_total{workflow="appointmentNoShow",eager="true"} 1');
    expect(exposed).toContain('webhook_attempts_total{outcome="succeeded",error_class="none",attempt="1"} 1');
    expect(exposed).toContain('webhook_first_attempt_delay_seconds_count 1');
    expect(exposed).toContain('webhook_attempts_in_flight 0');
  });

  test('a timer that has ended is found among the running no more, and keeps what it was about', async () => {
    await aClinicWithReceiver();
    const { id: appointmentId } = await bookOne();
    await change(surroundings.database, clinic, appointmentId, { status: 'cancelled' });
    const due = await until('the end of the timer', async () => {
      const { status, searchAttributes } = await describeWorkflow(noShowWorkflowId(appointmentId)).catch(
        () => NOT_YET,
      );
      return status.name === 'COMPLETED' && { ...searchAttributes };
    });
    expect(due).toMatchObject({ ClinicId: [clinic.tenantId], AppointmentId: [appointmentId] });
  });

  test('the signal retryNow, sent from the Temporal UI, makes the next attempt at once; the page tells about the delivery in words', async () => {
    const { receiver } = await aClinicWithReceiver();
    receiver.script(answerWith(503, 'later'));
    const appointment = await bookOne();
    const { id, workflow_id: workflowId } = await untilStatus(appointment.id, 'retrying');
    await until('its workflow', () => describeWorkflow(workflowId).catch(() => null));
    const [summary, details, metadata] = await surroundings.namespace.temporal.ask(async (client) => {
      const handle = client.workflow.getHandle(workflowId);
      const described = await handle.describe();
      return [
        await described.staticSummary(),
        await described.staticDetails(),
        await handle.query<{ definition: { signalDefinitions: { name: string; description: string }[] } }>(
          '__temporal_workflow_metadata',
        ),
      ];
    });
    const { host } = new URL(receiver.url());
    expect(summary).toBe(`appointment.created to ${host}. Attempt 1: endpoint failed (http_5xx, 503)`);
    for (const fact of [host, 'appointment.created', appointment.id, `/integrations/deliveries/${id}`])
      expect(details).toContain(fact);
    const signals = metadata.definition.signalDefinitions;
    expect(signals.map(({ name }) => name)).toEqual(['retryNow', 'room', 'stop']);
    for (const { description } of signals) expect(description).toMatch(/^[A-Z].+\.$/);
    await surroundings.namespace.temporal.ask((client) =>
      client.workflow.getHandle(workflowId).signal('retryNow'),
    );
    const [, second] = await receiver.received(2);
    expect(second?.headers['x-service-attempt']).toBe('2');
    expect(await untilStatus(appointment.id, 'succeeded')).toMatchObject({ attempt_count: 2 });
  });

  test('a failing receiver is shown in the search attributes; retry-now brings the next attempt forward', async () => {
    const { receiver } = await aClinicWithReceiver();
    receiver.script(answerWith(503, 'later'));
    const appointment = await bookOne();
    const { id, workflow_id: workflowId } = await untilStatus(appointment.id, 'retrying');
    await until(
      'its workflow, which begins after the attempt',
      async () => (await findOutboxBacklog(surroundings.database.em())).pending === 0,
    );
    await until('the search attributes', async () => {
      const { searchAttributes } = await describeWorkflow(workflowId);
      return (
        searchAttributes['DeliveryStatus']?.[0] === 'retrying' &&
        searchAttributes['DeliveryAttempt']?.[0] === 1
      );
    });
    await surroundings.database.write((em) =>
      retryDeliveryNow(em, { tenantId: clinic.tenantId, deliveryId: id }),
    );
    const [first, second] = await receiver.received(2);
    expect(second?.body).toBe(first?.body);
    expect(second?.headers['x-service-attempt']).toBe('2');
    expect(await untilStatus(appointment.id, 'succeeded')).toMatchObject({ attempt_count: 2 });
    const result = await surroundings.namespace.temporal.ask((client) =>
      client.workflow.getHandle(workflowId).result(),
    );
    expect(result).toEqual({ outcome: 'succeeded', attempts: 2 });
    await until('the search attributes of its end', async () => {
      const { searchAttributes } = await describeWorkflow(workflowId);
      return searchAttributes['DeliveryStatus']?.[0] === 'succeeded' && !searchAttributes['NextAttemptAt'];
    });
    const { searchAttributes } = await describeWorkflow(workflowId);
    expect(searchAttributes).toMatchObject({ DeliveryStatus: ['succeeded'], DeliveryAttempt: [2] });
    expect(searchAttributes).not.toHaveProperty('NextAttemptAt');
    await expect(
      surroundings.database.write((em) =>
        retryDeliveryNow(em, { tenantId: clinic.tenantId, deliveryId: id }),
      ),
    ).rejects.toMatchObject({ code: 'delivery_final' });
  });

  test('when a receiver works again, all that waited for it arrives as soon as someone says so', async () => {
    const { receiver, endpointId } = await aClinicWithReceiver();
    receiver.otherwise(answerWith(503));
    const appointments = [await bookOne(), await bookOne(), await bookOne()];
    for (const { id } of appointments) await untilStatus(id, 'retrying');
    receiver.otherwise(answerWith(200));
    const { tenantId } = clinic;
    const retried = await surroundings.database.write((em) =>
      retryEndpointNow(em, { tenantId, endpointId }, asOperator()),
    );
    expect(retried).toEqual({ deliveries: 3 });
    for (const { id } of appointments) {
      expect(await untilStatus(id, 'succeeded')).toMatchObject({ attempt_count: 2 });
    }
    expect(receiver.requests).toHaveLength(6);
  });
});

test('while Temporal is away events arrive all the same; when it is back their workflows are there', async () => {
  const { receiver } = await aClinicWithReceiver();
  const line = await layLine(surroundings.namespace.address);
  const { stop } = await surroundings.startWorker({ address: line.address });
  line.cut();
  const appointments = [await bookOne(), await bookOne(), await bookOne()];
  await until('failures to be noticed', async () => {
    const { failing, lastError } = await findOutboxBacklog(surroundings.database.em());
    return failing > 0 && lastError !== null;
  });
  await receiver.received(3);
  for (const { id } of appointments) await untilStatus(id, 'succeeded');
  line.mend();
  await until('an empty outbox', async () => {
    const { pending } = await findOutboxBacklog(surroundings.database.em());
    return pending === 0;
  });
  expect(receiver.requests).toHaveLength(3);
  for (const { id } of appointments) {
    const { workflow_id: workflowId } = await theDelivery(id);
    expect((await describeWorkflow(workflowId)).status.name).toMatch(/^(RUNNING|COMPLETED)$/);
  }
  await stop();
  await line.close();
});

test('a row that is carried out again after a kill neither starts nor sends anything twice', async () => {
  const { receiver } = await aClinicWithReceiver();
  const first = await surroundings.startWorker();
  const appointment = await bookOne();
  await untilStatus(appointment.id, 'succeeded');
  await until('an empty outbox', async () => {
    const { pending } = await findOutboxBacklog(surroundings.database.em());
    return pending === 0;
  });
  await first.stop();
  // As if the worker had been killed before it could delete the rows.
  const delivery = await theDelivery(appointment.id);
  await sql`
    INSERT INTO outbox (message)
    SELECT jsonb_build_object('kind', 'startDelivery', 'deliveryId', id, 'workflowId', workflow_id,
      'clinicId', tenant_id, 'endpointId', endpoint_id, 'appointmentId', appointment_id)
    FROM webhook_delivery WHERE id = ${delivery.id}
  `.execute(surroundings.database.em().getKysely());
  const second = await surroundings.startWorker();
  await until('an empty outbox', async () => {
    const { pending } = await findOutboxBacklog(surroundings.database.em());
    return pending === 0;
  });
  const runs = await surroundings.namespace.temporal.ask((client) =>
    client.workflow.count(`WorkflowId = '${delivery.workflow_id}'`),
  );
  expect(runs.count).toBe(1);
  expect(receiver.requests).toHaveLength(1);
  await second.stop();
});

test('an answer that a stopping worker cannot write is written by the next worker, and not asked for again', async () => {
  const { receiver } = await aClinicWithReceiver();
  const mend = await makeAttemptsUnwritable(surroundings.database);
  const first = await surroundings.startWorker();
  const appointment = await bookOne();
  await receiver.received(1);
  await first.stop();
  expect(await theDelivery(appointment.id)).toMatchObject({ status: 'pending', attempt_count: 0 });
  await mend();
  const second = await surroundings.startWorker();
  expect(await untilStatus(appointment.id, 'succeeded')).toMatchObject({ attempt_count: 1 });
  expect(receiver.requests).toHaveLength(1);
  await second.stop();
});

test('a signal for a workflow that is gone counts as told; one for an unknown namespace does not', async () => {
  const stop = { kind: 'stopDelivery', workflowId: 'delivery:nobody', clinicId: 'clinic' } as const;
  await temporal.ask((client) =>
    createCarryOut({ temporal: { client: () => client }, onStart: () => undefined })(stop),
  );
  const stranger = new Client({ connection: temporal.connection, namespace: 'nowhere' });
  await expect(
    createCarryOut({ temporal: { client: () => stranger }, onStart: () => undefined })(stop),
  ).rejects.toThrow();
});

test('a burst that was started before counts so while it runs and after it has ended', async () => {
  await temporal.ask(async (client) => {
    const start = createStartWorkflow({ temporal: { client: () => client }, onStart: () => undefined });
    const burst = {
      ...burstStart(`burst:${randomUUID()}`, { clinicId: 'clinic', deliveries: [] }),
      taskQueue: 'without-workers',
    };
    expect(await start(burst)).toBe(true);
    expect(await start(burst)).toBe(false);
    await client.workflow.getHandle(burst.workflowId).terminate();
    expect(await start(burst)).toBe(false);
  });
});
