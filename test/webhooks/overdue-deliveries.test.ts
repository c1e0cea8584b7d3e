import { beforeEach, expect, test } from '@jest/globals';
import { uuidv7 } from 'uuidv7';
import {
  countDeliveriesOnTime,
  findOverdueDeliveries,
} from '../../db/webhooks/deliveries/overdue-deliveries.ts';
import { findOutboxBacklog, findOutboxByKind } from '../../db/outbox/outbox-backlog.ts';
import { aClinic, anEndpoint } from '../support/clinic.ts';
import { openDatabaseAt, suiteDatabase } from '../support/database.ts';
import { aLease } from '../support/leases.ts';
import { anEventFor, attempted } from './recorded-attempts.ts';

let place: { tenantId: string; endpointId: string };

const database = await suiteDatabase();
beforeEach(async () => {
  await database.em().execute(`
    DELETE FROM outbox;
    UPDATE webhook_delivery SET status = 'skipped', next_attempt_at = NULL WHERE status IN ('pending', 'retrying')
  `);
  const { tenantId } = await aClinic(database);
  place = { tenantId, endpointId: await anEndpoint(database, tenantId) };
});

async function aDeliverySince(minutes: number): Promise<string> {
  const { id } = await anEventFor(database, place);
  await database.em().execute(`
    UPDATE webhook_delivery SET next_attempt_at = next_attempt_at - interval '${minutes} minutes' WHERE id = '${id}'
  `);
  return id;
}

function outboxRowOf(deliveryId: string, change: string): Promise<unknown> {
  return database
    .em()
    .execute(`UPDATE outbox SET ${change} WHERE message ->> 'deliveryId' = '${deliveryId}'`);
}

test('a first attempt that no one makes is overdue after a minute, the oldest first', async () => {
  await aDeliverySince(0);
  const ids = [await aDeliverySince(20), await aDeliverySince(10), await aDeliverySince(30)];
  const [found, ...others] = await findOverdueDeliveries(database.em());
  expect(found).toMatchObject({
    status: 'pending',
    attempt: 1,
    count: 3,
    oldestIds: [ids[2], ids[0], ids[1]],
    isInOutbox: true,
    lastError: null,
  });
  expect(found?.seconds).toBeGreaterThan(1790);
  expect(others).toEqual([]);
});

test('what waits for earlier attempts at its own endpoint is not overdue; what failed or was lost there is', async () => {
  const [claimed, inLine, failed, lost] = [
    await aDeliverySince(0),
    await aDeliverySince(10),
    await aDeliverySince(20),
    await aDeliverySince(30),
  ];
  const living = await aLease(database.em());
  await outboxRowOf(claimed, `claimed_by = '${living}', available_at = 'infinity'`);
  await outboxRowOf(failed, `failures = 1, last_error = 'SecretUnreadableError'`);
  await database.em().execute(`DELETE FROM outbox WHERE message ->> 'deliveryId' = '${lost}'`);
  expect(await findOverdueDeliveries(database.em())).toMatchObject([
    { oldestIds: [lost], isInOutbox: false },
    { oldestIds: [failed], isInOutbox: true, lastError: 'SecretUnreadableError' },
  ]);
  expect(await countDeliveriesOnTime(database.em())).toEqual({
    inLine: 1,
    retriesInLine: 0,
    inLineIds: [inLine],
    inTime: 0,
  });
});

test('what a worker holds that lives no more is overdue, and so is what waits behind it', async () => {
  const [claimed, behind] = [await aDeliverySince(20), await aDeliverySince(10)];
  await outboxRowOf(claimed, `claimed_by = '${uuidv7()}', available_at = 'infinity'`);
  expect(await findOverdueDeliveries(database.em())).toMatchObject([{ oldestIds: [claimed, behind] }]);
  expect(await countDeliveriesOnTime(database.em())).toMatchObject({ inLine: 0 });
  await database.em().execute(`UPDATE outbox SET created_at = created_at - interval '10 minutes'`);
  expect((await findOutboxBacklog(database.em())).oldestAgeSeconds).toBeGreaterThanOrEqual(600);
  const [kind] = await findOutboxByKind(database.em());
  expect(kind?.oldestAgeSeconds).toBeGreaterThanOrEqual(600);
});

test('a retry is overdue unless attempts are made at its endpoint', async () => {
  const late = await anEventFor(database, place, new Date(Date.now() - 3_600_000));
  await attempted(database, late, { number: 1, status: 500, startedAt: new Date(Date.now() - 3_600_000) });
  await database.em().execute(`UPDATE webhook_delivery SET updated_at = updated_at - interval '1 hour'`);
  const overdue = { status: 'retrying', attempt: 2, count: 1, oldestIds: [late.id], isInOutbox: true };
  expect(await findOverdueDeliveries(database.em())).toMatchObject([overdue]);

  const now = await anEventFor(database, place);
  await attempted(database, now, { number: 1, status: 500 });
  expect(await findOverdueDeliveries(database.em())).toEqual([]);
  expect(await countDeliveriesOnTime(database.em())).toMatchObject({ inLine: 1, retriesInLine: 1 });
});

test('when no one has worked for long, thousands are counted well within the time of a statement', async () => {
  const waiting = 20_000;
  await database.em().execute(`
    INSERT INTO webhook_event (id, tenant_id, type, body, created_at)
    SELECT 'evt_' || n, '${place.tenantId}', 'nps.submitted', '{}', now() FROM generate_series(1, ${waiting}) n;
    INSERT INTO webhook_delivery
      (id, tenant_id, event_id, endpoint_id, event_type, workflow_id, status, next_attempt_at)
    SELECT uuid_v7(), tenant_id, id, '${place.endpointId}', type, 'delivery:' || id, 'pending', now() - interval '1 hour'
    FROM webhook_event
    WHERE tenant_id = '${place.tenantId}';
    INSERT INTO outbox (message)
    SELECT jsonb_build_object(
      'kind', 'startDelivery', 'deliveryId', id, 'clinicId', tenant_id, 'endpointId', endpoint_id
    )
    FROM webhook_delivery
    WHERE status = 'pending'
  `);
  await using impatient = await openDatabaseAt(database.url, { statementTimeoutMs: 3000 });
  expect(await findOverdueDeliveries(impatient.em())).toMatchObject([{ count: waiting, isInOutbox: true }]);
});
