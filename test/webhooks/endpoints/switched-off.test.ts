import { expect, test } from '@jest/globals';
import { MockActivityEnvironment } from '@temporalio/testing';
import { sql } from 'kysely';
import { createEndpointHealthActivities } from '../../../activities/endpoint-health.activities.ts';
import { updateTenantByOperator } from '../../../commands/clinic/update-tenant.ts';
import {
  deactivateEndpoint,
  deleteEndpoint,
  enableEndpoint,
} from '../../../commands/webhooks/change-endpoint-health.ts';
import { updateEndpoint } from '../../../commands/webhooks/save-endpoint.ts';
import { endpointsToReconcile } from '../../../db/reconcile/reconcile-webhooks.ts';
import { SKIPPED_AT_ONCE } from '../../../db/webhooks/endpoints/skip-deliveries.ts';
import { aClinic, anEndpoint, asOperator, inHours } from '../../support/clinic.ts';
import { suiteDatabase } from '../../support/database.ts';
import { testLogger } from '../../support/test-logger.ts';
import { insertWaitingDeliveries } from '../../support/waiting-deliveries.ts';
import { anEventFor, anEventUsedUp } from '../recorded-attempts.ts';

/** More than one statement ends. */
const RETRYING = 600;
const PENDING = 500;
const OPEN = RETRYING + PENDING;

const database = await suiteDatabase({ applicationName: 'switched off' });

interface Place {
  tenantId: string;
  endpointId: string;
}

async function query<Row>(statement: ReturnType<typeof sql<Row>>): Promise<Row[]> {
  return (await statement.execute(database.em().getKysely())).rows;
}

/** An endpoint with more open deliveries than one statement ends; those that retry have a workflow that sleeps. */
async function anEndpointWithMany(): Promise<Place> {
  const { tenantId } = await aClinic(database);
  const endpointId = await anEndpoint(database, tenantId);
  const place = { clinicId: tenantId, endpointId };
  await insertWaitingDeliveries(database.em(), place, RETRYING);
  await query(sql`
    WITH retrying AS (
      UPDATE webhook_delivery
      SET status = 'retrying', attempt_count = 1, next_attempt_at = now() + interval '1 hour'
      WHERE endpoint_id = ${endpointId}
      RETURNING id
    )
    DELETE FROM outbox USING retrying WHERE message ->> 'deliveryId' = retrying.id::text
  `);
  await insertWaitingDeliveries(database.em(), place, PENDING);
  return { tenantId, endpointId };
}

async function statuses({ endpointId }: Place): Promise<Record<string, number>> {
  const rows = await query(sql<{ status: string; count: number }>`
    SELECT status, count(*)::integer AS count FROM webhook_delivery WHERE endpoint_id = ${endpointId} GROUP BY status
  `);
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
}

async function openDeliveries(place: Place): Promise<number> {
  const { pending = 0, retrying = 0 } = await statuses(place);
  return pending + retrying;
}

async function asked({ tenantId }: Place): Promise<Record<string, number>> {
  const rows = await query(sql<{ kind: string; count: number }>`
    SELECT message ->> 'kind' AS kind, count(*)::integer AS count
    FROM outbox
    WHERE message ->> 'clinicId' = ${tenantId}
    GROUP BY 1
  `);
  return Object.fromEntries(rows.map(({ kind, count }) => [kind, count]));
}

async function switchedOffAt({ endpointId }: Place): Promise<string> {
  const [row] = await query(sql<{ at: string }>`
    SELECT message ->> 'at' AS at
    FROM outbox
    WHERE message ->> 'kind' = 'endpointSwitchedOff' AND message ->> 'endpointId' = ${endpointId}
  `);
  return row?.at ?? '';
}

/** What the endpoint's workflow does once it has the signal. */
async function settle(place: Place): Promise<string | null> {
  const activities = createEndpointHealthActivities({
    database,
    mailer: null,
    logger: testLogger(),
    clock: () => new Date(),
    skippedAtOnce: 100,
    stopsAPage: 10_000,
  });
  const { tenantId: clinicId, endpointId } = place;
  const wanted = { clinicId, endpointId, switchedOffAt: await switchedOffAt(place), after: null };
  return new MockActivityEnvironment().run(activities.askDeliveriesToStop, wanted);
}

const WAYS_OFF: [string, (place: Place) => Promise<unknown>][] = [
  [
    'disabled',
    (place) =>
      database.write((em) => updateEndpoint(em, { ...place, fields: {}, enabled: false }, asOperator())),
  ],
  ['deleted', (place) => database.write((em) => deleteEndpoint(em, place, asOperator()))],
  [
    'deactivated',
    async (place) => {
      const { id } = await anEventUsedUp(database, place);
      await query(sql`DELETE FROM outbox WHERE message ->> 'deliveryId' = ${id}`);
      return database.write((em) => deactivateEndpoint(em, place, inHours(25)));
    },
  ],
  [
    'of a clinic that was canceled',
    ({ tenantId }) =>
      database.write((em) => updateTenantByOperator(em, { tenantId, status: 'canceled' }, asOperator())),
  ],
];

test.each(WAYS_OFF)(
  'the open deliveries of an endpoint that was %s end as skipped: some at once, the others by its workflow, which stops those that sleep',
  async (_how, switchOff) => {
    const place = await anEndpointWithMany();
    await switchOff(place);
    expect(await openDeliveries(place)).toBe(OPEN - SKIPPED_AT_ONCE);
    expect(await asked(place)).toMatchObject({ endpointSwitchedOff: 1 });

    expect(await settle(place)).toBeNull();
    expect(await statuses(place)).toMatchObject({ skipped: OPEN });
    const { startDelivery = 0, stopDelivery } = await asked(place);
    expect({ startDelivery, stopDelivery }).toEqual({ startDelivery: 0, stopDelivery: RETRYING });
  },
);

test('what is still open when the endpoint is enabled again is sent', async () => {
  const place = await anEndpointWithMany();
  await database.write((em) => updateEndpoint(em, { ...place, fields: {}, enabled: false }, asOperator()));
  await database.write((em) => enableEndpoint(em, place, asOperator()));
  await settle(place);
  expect(await openDeliveries(place)).toBe(OPEN - SKIPPED_AT_ONCE);
  const { pending } = await statuses(place);
  expect(await asked(place)).toMatchObject({ startDelivery: pending });
});

test('switching off waits for no delivery that another transaction holds, and its workflow ends that one too', async () => {
  const { tenantId } = await aClinic(database);
  const place = { tenantId, endpointId: await anEndpoint(database, tenantId) };
  const { id } = await anEventFor(database, place);
  await database.write(async (em) => {
    await sql`SELECT FROM webhook_delivery WHERE id = ${id} FOR UPDATE`.execute(em.getKysely());
    await database.write((other) =>
      updateEndpoint(other, { ...place, fields: {}, enabled: false }, asOperator()),
    );
    expect(await statuses(place)).toEqual({ pending: 1 });
  });
  await settle(place);
  expect(await statuses(place)).toEqual({ skipped: 1 });
});

test('an endpoint that is off with deliveries still open, and no workflow to end them, is found by reconciliation', async () => {
  const place = await anEndpointWithMany();
  await database.write((em) => updateEndpoint(em, { ...place, fields: {}, enabled: false }, asOperator()));
  await query(sql`DELETE FROM outbox WHERE message ->> 'kind' = 'endpointSwitchedOff'`);
  const wanted = { after: null, limit: 100 };
  expect(await endpointsToReconcile.page(database.em(), { ...wanted, before: inHours(-1) })).toEqual([]);
  const found = await endpointsToReconcile.page(database.em(), { ...wanted, before: inHours(1) });
  expect(found).toEqual([
    expect.objectContaining({ id: place.endpointId, workflowId: `endpoint:${place.endpointId}` }),
  ]);
  await database.write((em) => endpointsToReconcile.restart(em, [place.endpointId]));
  await settle(place);
  expect(await openDeliveries(place)).toBe(0);
  expect(await endpointsToReconcile.page(database.em(), { ...wanted, before: inHours(1) })).toEqual([]);
});
