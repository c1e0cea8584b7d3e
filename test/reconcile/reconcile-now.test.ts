import { expect, test } from '@jest/globals';
import {
  WebhookDeliveryEntity,
  type WebhookDeliveryRow,
} from '../../db/entities/webhooks/webhook-delivery.entity.ts';
import { adminWith, answerOf } from '../admin/admin-runs.ts';
import { aClinic } from '../support/clinic.ts';
import { answerWith } from '../support/servers/receiver.ts';
import { until } from '../support/until.ts';
import { anEventFor } from '../webhooks/recorded-attempts.ts';
import { createWorkerSurroundings } from '../worker/running-worker.ts';
import { forSuite } from '../support/for-suite.ts';

const surroundings = await forSuite(createWorkerSurroundings());
const { address, namespace } = surroundings.namespace;
const admin = adminWith({
  SERVICE_MODE: 'test',
  DATABASE_URL: surroundings.databaseUrl,
  TEMPORAL_ADDRESS: address,
  TEMPORAL_NAMESPACE: namespace,
});

const NOTHING = {
  overdueNoShows: 0,
  appointments: 0,
  deliveries: 0,
  endpoints: 0,
  replays: 0,
  farAppointments: 0,
  failed: 0,
};

async function whatDoctorSaysOfDeliveries(): Promise<{ ok: boolean; detail: string } | undefined> {
  const { stdout } = await admin('doctor');
  const { checks } = JSON.parse(stdout) as { checks: { name: string; ok: boolean; detail: string }[] };
  return checks.find(({ name }) => name === 'deliveries');
}

async function untilStatus({ id }: WebhookDeliveryRow, status: string): Promise<void> {
  await until(`a delivery that is ${status}`, async () => {
    const now = await surroundings.database.em().findOneOrFail(WebhookDeliveryEntity, { id });
    return now.status === status;
  });
}

test('a retry whose workflow was terminated is overdue though another one of its endpoint gets on, and is put right when an operator says so', async () => {
  const { database, namespace } = surroundings;
  const receiver = await surroundings.startReceiver();
  receiver.script(answerWith(503), answerWith(503));
  const { tenantId } = await aClinic(database);
  const { endpointId } = await surroundings.subscribe(tenantId, receiver.url());
  const { stop, metrics } = await surroundings.startWorker();
  const place = { tenantId, endpointId };
  const [lost, moving] = [await anEventFor(database, place), await anEventFor(database, place)];
  for (const delivery of [lost, moving]) await untilStatus(delivery, 'retrying');
  const terminate = () =>
    namespace.temporal.ask((client) =>
      client.workflow.getHandle(String(lost.workflowId)).terminate('by mistake'),
    );
  await until('its workflow to end', () => terminate().catch(() => null));
  await database
    .em()
    .execute(
      `UPDATE webhook_delivery SET next_attempt_at = now() - interval '3 minutes' WHERE id = '${lost.id}'`,
    );

  const found = await until('doctor to see it', async () => {
    const check = await whatDoctorSaysOfDeliveries();
    return check?.ok === false && check;
  });
  expect(found.detail).toContain(`1 retrying, attempt 2 overdue`);
  expect(found.detail).toContain(`(${lost.id}): ${lost.workflowId} is not running`);
  expect(await metrics.expose()).toContain('webhook_deliveries_overdue{status="retrying",attempt="2"} 1');

  expect(await answerOf(admin('reconcile'))).toEqual(NOTHING);
  expect(await answerOf(admin('reconcile', '--all'))).toEqual({ ...NOTHING, deliveries: 1 });
  await untilStatus(lost, 'succeeded');
  expect(await whatDoctorSaysOfDeliveries()).toMatchObject({ ok: true });
  await stop();
});
