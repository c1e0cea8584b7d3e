import { expect, test } from '@jest/globals';
import { listAppointments } from '../../../db/appointments/lists/list-appointments.ts';
import type { EntityManager } from '../../../db/connection/open-database.ts';
import { listDeliveries } from '../../../db/webhooks/deliveries/list-deliveries.ts';
import { aClinic, anEndpoint } from '../../support/clinic.ts';
import { suiteDatabase } from '../../support/database.ts';
import { pagesFor, uuid } from './pages-read.ts';
import { makeSealedNames } from '../sealed-names.ts';

const LIMIT = 50;
const MAX_PAGES = 500;
const ROWS = 40_000;

const database = await suiteDatabase({ poolSize: 1 });
const clinic = await aClinic(database);
const endpointId = await anEndpoint(database, clinic.tenantId);
await makeSealedNames(
  database,
  clinic.tenantId,
  Array.from({ length: ROWS }, () => 'Maria'),
);
await database.em().transactional(async (em) => {
  // The other clinics are there by their rows alone.
  await em.execute('SET LOCAL session_replication_role = replica');
  await em.execute("SET LOCAL statement_timeout = '60s'");
  for (const statement of manyClinics()) await em.execute(statement);
});
await database.em().execute('ANALYZE');

/** One row in twenty is the clinic's; the others belong to five hundred more. */
function manyClinics(): string[] {
  const { tenantId, professionalIds } = clinic;
  const of = (own: string | undefined, others: number) =>
    `CASE WHEN i % 20 = 0 THEN '${own}'::uuid ELSE ${uuid(`${others} + i % 500`)} END`;
  const at = `LATERAL (SELECT timestamptz '2026-01-01' + i * interval '1 minute' AS at)`;
  return [
    `INSERT INTO webhook_delivery (
       id, tenant_id, event_id, endpoint_id, event_type, workflow_id, status, created_at
     )
     SELECT uuidv7(at - clock_timestamp()), ${of(tenantId, 1000)}, 'evt_' || i, ${of(endpointId, 2000)}, 'appointment.created',
       'delivery' || i, 'succeeded', at
     FROM generate_series(1, ${ROWS}) AS i, ${at}`,
    `INSERT INTO calendar_entry (
       id, tenant_id, professional_id, patient_name, patient_phone_hash, starts_at, ends_at, block_from, block_until, blocks,
       status, source, name_hash, name_tokens
     )
     SELECT ${uuid('i')}, ${of(tenantId, 1000)}, ${of(professionalIds[0], 3000)}, name, 'hash' || i, at, at + interval '1 hour', at,
       at + interval '1 hour', false, 'attended', 'manual', hash, tokens
     FROM sealed_name, ${at}`,
  ];
}

const LISTS: [string, (em: EntityManager) => Promise<unknown>][] = [
  [
    'deliveries to an endpoint',
    (em) => listDeliveries(em, { tenantId: clinic.tenantId, endpointId, limit: LIMIT }),
  ],
  [
    'appointments of a professional',
    (em) => {
      const [professionalId = ''] = clinic.professionalIds;
      return listAppointments(em, { tenantId: clinic.tenantId, professionalId }, { limit: LIMIT });
    },
  ],
];

// PostgreSQL multiplies how rare the clinic is with how rare what it is asked for, as if they had nothing to do with each other.
test.each(LISTS)('among many clinics a page of one reads few of its rows: %s', async (_, list) => {
  const pages = await database.ofClinic(clinic.tenantId).read((own) => pagesFor(own, list));
  expect(pages).toBeGreaterThan(0);
  expect(pages).toBeLessThan(MAX_PAGES);
});
