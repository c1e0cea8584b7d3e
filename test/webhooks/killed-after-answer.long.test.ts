import { afterEach, expect, test } from '@jest/globals';
import { Client } from 'pg';
import {
  WebhookDeliveryEntity,
  type WebhookDeliveryRow,
} from '../../db/entities/webhooks/webhook-delivery.entity.ts';
import { lockWaits } from '../support/lock-waits.ts';
import { until } from '../support/until.ts';
import { createWorkerFleet } from '../worker/worker-fleet.ts';
import { anEventFor } from './recorded-attempts.ts';
import { forSuite } from '../support/for-suite.ts';

const fleet = await forSuite(createWorkerFleet());
afterEach(() => fleet.killAll());

function read({ id }: WebhookDeliveryRow): Promise<WebhookDeliveryRow> {
  return fleet.database.em().findOneOrFail(WebhookDeliveryEntity, { id });
}

/** Holds a delivery's row; anyone who wants to write it waits. */
async function hold({ id }: WebhookDeliveryRow) {
  const holder = new Client({ connectionString: fleet.databaseUrl, application_name: 'holder' });
  await holder.connect();
  await holder.query('BEGIN');
  await holder.query('SELECT FROM webhook_delivery WHERE id = $1 FOR UPDATE', [id]);
  return {
    /** The database ends the statements of the worker that wait for the row, as it does when their process is gone. */
    endWaiting: () =>
      holder.query(
        `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
         WHERE datname = current_database() AND application_name = 'worker' AND wait_event_type = 'Lock'`,
      ),
    isWaitedFor: async () => (await lockWaits(fleet.database.em(), 'worker')) > 0,
    release: () => holder.end(),
  };
}

test('killed after the receiver’s 200 and before its row: the delivery ends succeeded, with one repeat at most', async () => {
  const receiver = await fleet.startReceiver();
  const delivery = await anEventFor(fleet.database, await fleet.anEndpointAt(receiver));
  let held: Awaited<ReturnType<typeof hold>> | undefined;
  receiver.script((response) => {
    const answer = async () => {
      held = await hold(delivery);
      response.writeHead(200).end();
    };
    void answer();
  });
  const first = await fleet.start();
  const holding = await until(
    'the answer to wait for its row',
    async () => (await held?.isWaitedFor()) && held,
  );
  await fleet.kill(first);
  await holding.endWaiting();
  await holding.release();
  expect(await read(delivery)).toMatchObject({ status: 'pending', attemptCount: 0 });

  await fleet.start();
  const settled = await until('the delivery to succeed', async () => {
    const now = await read(delivery);
    return now.status === 'succeeded' && now;
  });
  expect(settled.attemptCount).toBe(1);
  expect(receiver.requests.length).toBeLessThanOrEqual(2);
  for (const { headers } of receiver.requests) {
    expect(headers['x-service-event-id']).toBe(delivery.eventId);
    expect(headers['x-service-attempt']).toBe('1');
  }
});
