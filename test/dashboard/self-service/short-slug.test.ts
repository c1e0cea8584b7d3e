import { expect, test } from '@jest/globals';
import { SELF_SERVICE_WORDS } from '../../../dashboard/self-service/words.ts';
import { TenantEntity } from '../../../db/entities/tenant.entity.ts';
import { startTestDashboard } from '../../support/pages/dashboard-server.ts';

test('patients book at a clinic of which the public name is the letter that leads to visits', async () => {
  const dashboard = await startTestDashboard();
  const { database, clinic } = dashboard;
  const own = { publicSlug: 'a', publicBookingEnabled: true, config: { timezone: 'Europe/Lisbon' } };
  await database.em().nativeUpdate(TenantEntity, { id: clinic.tenantId }, own);
  const patient = dashboard.stranger();
  const day = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
  // An address is also typed from a poster.
  const { text } = await patient.get(`/book/A?service=${clinic.serviceTypeId}&day=${day}`);
  const time = /name="time"\s+value="([^"]+)"/.exec(text)?.[1] ?? '';
  const details = await patient.post('/book/a/hold', {
    service: clinic.serviceTypeId,
    professional: '',
    time,
  });
  expect([details.status, details.url.pathname]).toEqual([200, '/book/a/details']);
  const fields = { patientName: 'Maria Santos', patientPhone: '+351912345678' };
  expect((await patient.submit('/book/a/details', fields)).text).toContain(SELF_SERVICE_WORDS.en.booked);
  await dashboard[Symbol.asyncDispose]();
});
