import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { IN_LINE } from '../../commands/diagnosis/describe-delivery.ts';
import { deactivateEndpoint } from '../../commands/webhooks/change-endpoint-health.ts';
import {
  WebhookDeliveryEntity,
  type WebhookDeliveryRow,
} from '../../db/entities/webhooks/webhook-delivery.entity.ts';
import { PROJECT_ROOT } from '../../dev/processes/run-script.ts';
import { DELIVERY_WORKFLOW, WEBHOOK_DELIVERY_QUEUE } from '../../domain/temporal-names.ts';
import { aClinic } from '../support/clinic.ts';
import { answerWith, neverAnswer, type Receiver } from '../support/servers/receiver.ts';
import { until } from '../support/until.ts';
import { anEventFor } from '../webhooks/recorded-attempts.ts';
import { createWorkerSurroundings } from '../worker/running-worker.ts';
import { adminWith, answerOf } from './admin-runs.ts';
import { forSuite } from '../support/for-suite.ts';

/** The second attempt follows soon, the third does not come within the test. */
const TIMINGS = { retryDelaysSeconds: [1, 3600, 3600, 3600, 3600] };
/** More than an endpoint gets attempted at once. */
const CROWD = 16;

const guide = readFileSync(join(PROJECT_ROOT, 'docs/operations/find-stuck-deliveries.md'), 'utf8');

const surroundings = await forSuite(createWorkerSurroundings());
const { databaseUrl, namespace, encryptionKey } = surroundings;
const service = {
  DATABASE_URL: databaseUrl,
  TEMPORAL_ADDRESS: namespace.address,
  TEMPORAL_NAMESPACE: namespace.namespace,
  WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8,::1/128',
  SERVICE_MODE: 'test',
};
const admin = adminWith({ ...service, ENCRYPTION_KEY: encryptionKey });
const worker = await surroundings.startWorker({ timings: TIMINGS });

interface Place {
  tenantId: string;
  endpointId: string;
  receiver: Receiver;
}

async function aPlace(): Promise<Place> {
  const { tenantId } = await aClinic(surroundings.database);
  const receiver = await surroundings.startReceiver();
  const { endpointId } = await surroundings.subscribe(tenantId, receiver.url());
  return { tenantId, endpointId, receiver };
}

function rowOf({ id }: { id: string }): Promise<WebhookDeliveryRow> {
  return surroundings.database.em().findOneOrFail(WebhookDeliveryEntity, { id });
}

/** As a disk or a hand may change it: nothing can sign with it any more. */
async function spoilSecret({ endpointId }: Place): Promise<void> {
  await surroundings.database
    .em()
    .execute(`UPDATE webhook_secret SET ciphertext = left(ciphertext, -4) || 'AAAA' WHERE endpoint_id = ?`, [
      endpointId,
    ]);
}

/** A delivery that waits for its third attempt. */
async function failedTwice(): Promise<Place & { delivery: WebhookDeliveryRow }> {
  const place = await aPlace();
  place.receiver.otherwise(answerWith(503));
  const delivery = await anEventFor(surroundings.database, place);
  await until('two failures', async () => (await rowOf(delivery)).attemptCount === 2);
  return { ...place, delivery };
}

/** As if it had been due for ten minutes, and nothing had happened at its endpoint since. */
async function tenMinutesPass(column: 'id' | 'endpoint_id', id: string): Promise<void> {
  await surroundings.database.em().execute(
    `UPDATE webhook_delivery
     SET next_attempt_at = now() - interval '10 minutes', updated_at = now() - interval '10 minutes'
     WHERE ${column} = ? AND status IN ('pending', 'retrying')`,
    [id],
  );
}

async function situationOf({ id }: { id: string }): Promise<string> {
  return String((await answerOf(admin('find', id)))['situation']);
}

async function untilFound(delivery: { id: string }, words: RegExp): Promise<void> {
  let last = '';
  await until(`${delivery.id} to be found as ${words}`, async () =>
    words.test((last = await situationOf(delivery))),
  ).catch((error: Error) => Promise.reject(new Error(`${error.message}; found: ${last}`)));
}

function oneOf(deliveries: readonly WebhookDeliveryRow[], words: string): Promise<WebhookDeliveryRow> {
  return until(`one of which is said: ${words}`, async () => {
    for (const delivery of deliveries) if ((await situationOf(delivery)).startsWith(words)) return delivery;
    return null;
  });
}

/** What the doctor says of deliveries, endpoints and workflows. */
async function diagnosis(): Promise<Record<string, string>> {
  const { stdout } = await admin('doctor');
  const { checks } = JSON.parse(stdout) as { checks: { name: string; detail: string }[] };
  return Object.fromEntries(checks.map(({ name, detail }) => [name, detail]));
}

/** The ids of the workflows that a filter of the guide shows, by the words before it; times and ids in it are made these. */
async function shownBy(words: string, ids: { endpointId?: string } = {}): Promise<string[]> {
  const [, query = ''] = RegExp(`^${words}[^]*?\`\`\`temporal\n(.*?)\n`, 'm').exec(guide) ?? [];
  expect(query).not.toBe('');
  const time = query.includes("> '") ? '2020-01-01T00:00:00Z' : new Date().toISOString();
  const own = query
    .replaceAll(/'\d{4}-\d\d-\d\dT[\d:]+Z'/g, `'${time}'`)
    .replace(/(EndpointId = ')[^']+/, `$1${ids.endpointId}`);
  return surroundings.namespace.temporal.ask(async ({ workflow }) => {
    const found: string[] = [];
    for await (const { workflowId } of workflow.list({ query: own })) found.push(workflowId);
    return found;
  });
}

async function untilShown(words: string, delivery: WebhookDeliveryRow, ids?: { endpointId: string }) {
  await until(`${words}: ${delivery.workflowId}`, async () =>
    (await shownBy(words, ids)).includes(String(delivery.workflowId)),
  );
}

async function metricsShow(lines: RegExp[]): Promise<void> {
  let text = '';
  await until(`metrics like ${lines.join(', ')}`, async () => {
    text = await worker.metrics.expose();
    return lines.every((line) => line.test(text));
  });
}

test('ten deliveries stuck in ten ways: the doctor, find, metrics and filters name the reason of each', async () => {
  const { database, namespace } = surroundings;
  const { temporal } = namespace;

  // 1, 2: a receiver that hangs keeps first attempts in line, and puts retries off.
  const hanging = await aPlace();
  hanging.receiver.otherwise(neverAnswer());
  const crowd: WebhookDeliveryRow[] = [];
  for (let events = 0; events < CROWD; events += 1) crowd.push(await anEventFor(database, hanging));
  // While first attempts hang: the last ones wait longest.
  await oneOf(crowd.toReversed(), IN_LINE);
  await metricsShow([/^outbox_pending\{kind="startDelivery"\} [1-9]/m]);

  // 3: an endpoint's secret cannot be read; 4: nor that of another since its first attempt.
  const spoiled = await aPlace();
  await spoilSecret(spoiled);
  const unsigned = await anEventFor(database, spoiled);
  const spoiledLater = await aPlace();
  spoiledLater.receiver.otherwise((response) => {
    void spoilSecret(spoiledLater).then(() => response.writeHead(503).end());
  });
  const unsignedRetry = await anEventFor(database, spoiledLater);

  // 5: waits for its time. 6: its workflow was begun again with what its code cannot read. 7: someone terminated it.
  const [waiting, broken, lost] = [await failedTwice(), await failedTwice(), await failedTwice()];
  const terminate = (workflowId: string) =>
    temporal.ask(({ workflow }) => workflow.getHandle(workflowId).terminate('by mistake'));
  await terminate(String(lost.delivery.workflowId));
  await terminate(String(broken.delivery.workflowId));
  await temporal.ask(({ workflow }) =>
    workflow.start(DELIVERY_WORKFLOW, {
      taskQueue: WEBHOOK_DELIVERY_QUEUE,
      workflowId: String(broken.delivery.workflowId),
      args: [null],
      workflowTaskTimeout: '1 second',
    }),
  );

  // 8: its endpoint was deactivated after a day of failures. 9: the clinic switched it off.
  const [deactivated, disabled] = [await failedTwice(), await failedTwice()];
  await database
    .em()
    .execute(
      `UPDATE webhook_endpoint SET status = 'failing', failing_since = now(), deactivate_at = now() WHERE id = ?`,
      [deactivated.endpointId],
    );
  await database.write((em) => deactivateEndpoint(em, deactivated, new Date()));
  await answerOf(admin('endpoint', 'disable', '--endpoint', disabled.endpointId));

  // What hangs has failed once for lack of an answer when its retry is due.
  const putOff = await oneOf(crowd, `attempt 2 is delayed: ${IN_LINE}`);
  await metricsShow([/^webhook_retries_put_off [1-9]/m]);
  await untilShown('Everything waiting at one endpoint', putOff, hanging);
  await tenMinutesPass('endpoint_id', hanging.endpointId);
  // Until an attempt at the endpoint ends, the rows look as if none had been made for ten minutes.
  await until('the doctor to see attempts at the endpoint', async () =>
    RegExp(`late \\(.*\\): ${IN_LINE}`).test((await diagnosis())['deliveries'] ?? ''),
  );

  for (const { id } of [unsigned, unsignedRetry, broken.delivery, lost.delivery])
    await tenMinutesPass('id', id);
  const unreadable =
    'SecretUnreadableError, The encrypted value was changed, or belongs to another column or row';
  await untilFound(unsigned, RegExp(`^${unreadable}`));
  await untilFound(unsignedRetry, RegExp(`^activity attemptDelivery of .* has failed .*${unreadable}`));
  await untilFound(
    waiting.delivery,
    /^attempt 3 is due at 20\d\d-.*Z, after: endpoint failed \(http_5xx, 503\)$/,
  );
  await untilFound(broken.delivery, /^the workflow task of delivery:.* has failed \d+ times$/);
  await untilFound(lost.delivery, /^delivery:.* is not running; the schedule reconcile starts it/);
  await untilFound(deactivated.delivery, /^skipped: its endpoint is deactivated$/);
  await untilFound(disabled.delivery, /^skipped: its endpoint is disabled$/);

  await untilShown('Overdue deliveries', unsignedRetry);
  await untilShown('Deliveries waiting for a retry', waiting.delivery);
  await untilShown('Workflows whose code fails', broken.delivery);
  await untilShown('Workflows that ended abnormally', lost.delivery);
  await untilShown('Skipped deliveries', deactivated.delivery);
  await untilShown('Skipped deliveries', disabled.delivery);

  const found = await diagnosis();
  for (const [id, reason] of [
    [unsigned.id, unreadable],
    [unsignedRetry.id, 'activity attemptDelivery'],
    [broken.delivery.id, 'the workflow task of'],
    [lost.delivery.id, `${lost.delivery.workflowId} is not running`],
  ] as const) {
    expect(found['deliveries']).toMatch(RegExp(`\\(${id}\\): ${reason}`));
  }
  expect(found['deliveries']).toContain('are not due yet');
  expect(found['workflows']).toContain(broken.delivery.workflowId);
  expect(found['endpoints']).toContain(`1 deactivated (${deactivated.endpointId})`);
  expect(found['endpoints']).toContain(`1 disabled (${disabled.endpointId})`);
  await metricsShow([
    /^webhook_deliveries_overdue\{status="pending",attempt="1"\} [1-9]/m,
    /^outbox_failing\{kind="startDelivery"\} [1-9]/m,
    /^webhook_attempt_faults_total\{fault="secret_unreadable"\} [1-9]/m,
    /^webhook_deliveries_overdue\{status="retrying",attempt="2"\} [1-9]/m,
    /^webhook_deliveries_overdue\{status="retrying",attempt="3"\} 2/m,
    /^webhook_deliveries_open\{status="retrying"\} [1-9]/m,
    /^workflows_failing 1/m,
    /^webhook_endpoints\{status="deactivated"\} 1/m,
    /^webhook_endpoints\{status="disabled"\} 1/m,
  ]);

  // 10: no one is there to begin it.
  await worker.stop();
  const untouched = await anEventFor(database, await aPlace());
  await tenMinutesPass('id', untouched.id);
  await untilFound(untouched, /^no worker has claimed it from the outbox$/);
  expect((await diagnosis())['deliveries']).toMatch(
    RegExp(`\\(${untouched.id}\\): no worker has claimed it from the outbox`),
  );
});
