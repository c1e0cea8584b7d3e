import { expect, test } from '@jest/globals';
import { uuidv7 } from 'uuidv7';
import { ServiceTypeEntity } from '../../../db/entities/service-type.entity.ts';
import { TenantEntity } from '../../../db/entities/tenant.entity.ts';
import { suiteDashboard } from '../../support/pages/dashboard-server.ts';

const removed = { id: uuidv7(), name: 'Whitening', active: false };

const dashboard = await suiteDashboard();
const { tenantId } = dashboard.clinic;
await dashboard.database.write(async (em) => {
  await em.insert(ServiceTypeEntity, { ...removed, tenantId, durationMinutes: 30 });
});

async function offer(serviceTypeIds: string[]): Promise<void> {
  const config = { timezone: 'Europe/Lisbon', selfService: { serviceTypeIds } };
  const own = { publicSlug: 'luz', publicBookingEnabled: true, config };
  await dashboard.database.em().nativeUpdate(TenantEntity, { id: dashboard.clinic.tenantId }, own);
}

test('a service that is no longer offered is left out, and patients book the others', async () => {
  await offer([removed.id, uuidv7(), dashboard.clinic.serviceTypeId]);
  const patient = dashboard.stranger();
  for (const address of ['/book/luz', `/book/luz?service=${removed.id}`]) {
    const { status, text } = await patient.get(address);
    expect(status).toBe(200);
    expect(text).toContain('Check-up');
    expect(text).not.toContain(removed.name);
    expect(text).toMatch(/name="time"/);
  }
});

test('when none of the chosen services is left, the page asks to call the clinic', async () => {
  await offer([removed.id]);
  const { text } = await dashboard.stranger().get('/book/luz');
  expect(text).toContain('Please call the clinic.');
});
