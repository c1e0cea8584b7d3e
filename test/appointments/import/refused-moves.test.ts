import { expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { importAppointments } from '../../../commands/appointments/import/import-appointments.ts';
import type { Visit } from '../../../commands/appointments/import/visit.ts';
import type { EntityManager } from '../../../db/connection/open-database.ts';
import { aBooking, aClinic, asOperator, inHours } from '../../support/clinic.ts';
import { suiteApi } from '../../support/servers/api-server.ts';

const api = await suiteApi();

/** How often this transaction has looked into when professionals are blocked, which free times are made of. */
async function looksAtBlocks(em: EntityManager): Promise<number> {
  const { rows } = await sql<{ looks: number }>`
    SELECT sum(pg_stat_get_xact_numscans(oid))::integer AS looks
    FROM pg_class
    WHERE relname LIKE 'busy\\_block%'
  `.execute(em.getKysely());
  return rows[0]?.looks ?? 0;
}

test('an import looks for no free times when it refuses to move visits, because it shows none', async () => {
  const clinic = await aClinic(api.database, { professionals: 2 });
  const [one = '', other = ''] = clinic.professionalIds;
  const { patientPhoneHash } = aBooking(clinic);
  const run = { tenantId: clinic.tenantId, context: asOperator() };
  const visitOf = (externalId: string, professionalId: string): Visit => ({
    externalId,
    professionalId,
    serviceTypeId: clinic.serviceTypeId,
    startsAt: inHours(50),
    patientName: externalId,
    patientPhoneHash,
  });
  await api.database.write((em) => importAppointments(em, [visitOf('v-1', one), visitOf('v-2', other)], run));
  const { outcomes, looks } = await api.database.write(async (em) => ({
    outcomes: await importAppointments(em, [visitOf('v-1', other)], run),
    looks: await looksAtBlocks(em),
  }));
  expect(outcomes).toMatchObject([{ result: 'refused', error: { code: 'slot_conflict' } }]);
  expect(looks).toBe(0);
});
