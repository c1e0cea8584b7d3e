import { expect, test } from '@jest/globals';
import { claimWatch, findVersionsDue, setWatch } from '../../../db/appointments/acknowledgement-watch.ts';
import { countUnacknowledged, listUnacknowledged } from '../../../db/appointments/lists/unacknowledged.ts';
import { findOverdueNoShows, lockLateAppointments } from '../../../db/appointments/no-shows.ts';
import { countQueued } from '../../../db/appointments/unacknowledged-mails.ts';
import type { EntityManager } from '../../../db/connection/open-database.ts';
import { WebhookEndpointEntity } from '../../../db/entities/webhooks/webhook-endpoint.entity.ts';
import { claimTimers } from '../../../db/outbox/claim-messages.ts';
import { findOutboxByKind } from '../../../db/outbox/outbox-backlog.ts';
import { findOverdueDeliveries } from '../../../db/webhooks/deliveries/overdue-deliveries.ts';
import { endpointsWithQueue, queuedDeliveries } from '../../../db/webhooks/queue/queued-deliveries.ts';
import {
  findQueueLags,
  markUnreadFailing,
  skipQueuedBefore,
} from '../../../db/webhooks/queue/unread-queues.ts';
import { findWebhookStock } from '../../../db/webhooks/webhook-stock.ts';
import { aClinic, anEndpoint } from '../../support/clinic.ts';
import { suiteDatabase } from '../../support/database.ts';
import { aLease } from '../../support/leases.ts';
import { pagesFor, uuid } from './pages-read.ts';
import { makeSealedNames } from '../sealed-names.ts';

const MAX_PAGES = 500;
const ROWS = 30_000;

const database = await suiteDatabase({ poolSize: 1 });
const { tenantId, professionalIds } = await aClinic(database);
const endpointId = await anEndpoint(database, tenantId);
const pullId = await anEndpoint(database, tenantId);
await database.em().nativeUpdate(WebhookEndpointEntity, { id: pullId }, { url: null });
await setWatch(database.em(), tenantId, 5);
await makeSealedNames(
  database,
  tenantId,
  Array.from({ length: ROWS }, () => 'Maria'),
);
const years = manyRows(tenantId, professionalIds[0] ?? '', endpointId);
for (const statement of years) await database.em().execute(statement);

/** Of what ended long ago, or far ahead, 30,000 rows; of what is open a hundred. */
function manyRows(tenantId: string, professionalId: string, endpointId: string): string[] {
  const rows = `generate_series(1, ${ROWS}) AS i`;
  return [
    `INSERT INTO appointment (
       id, tenant_id, professional_id, patient_name, patient_phone_hash, starts_at, ends_at, block_from, block_until,
       blocks, status, source, created_at, updated_at, name_hash, name_tokens, unacknowledged_version
     )
     SELECT ${uuid('i')}, '${tenantId}', '${professionalId}', name, 'hash', at, at + interval '1 hour', at,
       at + interval '1 hour', false, CASE WHEN i <= 15000 THEN 'attended' ELSE 'confirmed' END, 'manual', booked,
       booked, hash, tokens, CASE WHEN i > 29900 THEN 1 END
     FROM sealed_name, LATERAL (
       SELECT booked, CASE WHEN i BETWEEN 15001 AND 29900 THEN now() + interval '1 year' ELSE booked END AS at
       FROM (SELECT timestamptz '2026-01-01' + i * interval '1 minute' AS booked)
     )`,
    `INSERT INTO webhook_event (id, tenant_id, type, body, created_at)
     SELECT 'evt_' || i, '${tenantId}', 'appointment.created', '{}', timestamptz '2026-01-01' + i * interval '1 minute'
     FROM ${rows}`,
    `INSERT INTO webhook_delivery (
       id, tenant_id, event_id, endpoint_id, event_type, workflow_id, status, attempt_count, next_attempt_at
     )
     SELECT ${uuid('i')}, '${tenantId}', 'evt_' || i, '${endpointId}', 'appointment.created', 'delivery' || i,
       CASE WHEN i <= 29900 THEN 'succeeded' ELSE 'retrying' END, 1,
       CASE WHEN i > 29900 THEN now() - interval '1 hour' END
     FROM ${rows}`,
    `INSERT INTO webhook_delivery (id, tenant_id, event_id, endpoint_id, event_type, status, resend_number)
     SELECT ${uuid(`${ROWS} + i`)}, '${tenantId}', 'evt_' || i, '${pullId}', 'appointment.created',
       CASE WHEN i <= 29900 THEN 'succeeded' ELSE 'pending' END, 1
     FROM ${rows}`,
    `INSERT INTO notification (id, tenant_id, kind, endpoint_id, endpoint_url, deactivate_at, created_at, mail)
     SELECT ${uuid('i')}, '${tenantId}', 'endpoint_failing', '${endpointId}', 'https://pms.example', now(), now(),
       CASE WHEN i <= 29900 THEN 'no_server' ELSE 'due' END
     FROM ${rows}`,
    'ANALYZE',
  ];
}

const pull = { tenantId, endpointId: pullId };
/** When the last 100 appointments were booked. */
const LATELY = new Date(Date.parse('2026-01-01T00:00Z') + 29_900 * 60_000);
const watch = { tenantId, withinMinutes: 5, reachedAt: LATELY, reachedId: pullId };

const QUESTIONS: [string, (em: EntityManager) => Promise<unknown>][] = [
  ['what is open, due and failing', findWebhookStock],
  ['overdue deliveries', findOverdueDeliveries],
  ['overdue no-shows', (em) => findOverdueNoShows(em)],
  ['late no-shows', (em) => lockLateAppointments(em, { lateSeconds: 1, limit: 20 })],
  ['how far behind the readers of queues are', (em) => findQueueLags(em, { tenantId, atMost: 1000 })],
  ['the first page of a queue', (em) => queuedDeliveries(em, pull, 100)],
  ['which queues have deliveries', (em) => endpointsWithQueue(em, [pullId, endpointId])],
  ['which queues are not read', (em) => markUnreadFailing(em, new Date(), 86_400)],
  ['what waited in a queue for too long', (em) => skipQueuedBefore(em, new Date('2026-01-01'), 5)],
  [
    'appointments without acknowledgement',
    (em) => listUnacknowledged(em, { tenantId, since: LATELY, limit: 50 }),
  ],
  ['the same, counted', (em) => countUnacknowledged(em, { tenantId, since: LATELY }, 100)],
  ['the next clinic whose acknowledgements are overdue', (em) => claimWatch(em, new Date())],
  [
    'versions whose acknowledgement is overdue',
    (em) => findVersionsDue(em, watch, { now: new Date(), limit: 50 }),
  ],
  ['what the next mail about them counts', (em) => countQueued(em, tenantId)],
];

test.each(QUESTIONS)('queries about open rows do not read finished ones: %s', async (_, ask) => {
  expect(await pagesFor(database.em(), ask)).toBeLessThan(MAX_PAGES);
});

test('however many timers wait, the metrics count no further than they should, and a claim reads only those that it takes', async () => {
  await database.em().execute(`
    INSERT INTO outbox (message, ordering_key, due_at)
    SELECT '{"kind": "startNoShow", "clinicId": "clinic"}', 'appointment:' || i, now() + interval '1 year'
    FROM generate_series(1, 60000) AS i`);
  await database.em().execute('ANALYZE outbox');
  const found = await findOutboxByKind(database.em());
  expect(found).toEqual([
    { kind: 'startNoShow', pending: 50_000, failing: 0, oldestAgeSeconds: expect.any(Number) },
  ]);
  const workerId = await aLease(database.em());
  const pages = await pagesFor(database.outbox(), async (em) => {
    expect(await claimTimers(em, workerId, 16)).toHaveLength(16);
  });
  expect(pages).toBeLessThan(MAX_PAGES);
});
