import { expect, test } from '@jest/globals';
import { suiteDashboard } from '../support/pages/dashboard-server.ts';

const MIB = 1024 * 1024;

const dashboard = await suiteDashboard();

test('a clinic that leaves too much of its pages and downloads unread is asked to wait', async () => {
  const { unread } = dashboard.dependencies;
  const ana = await dashboard.person('ana');
  const release = unread.hold(dashboard.clinic.tenantId, 64 * MIB + 1);
  for (const address of ['/appointments', '/appointments/csv'])
    expect([address, (await ana.get(address)).status]).toEqual([address, 503]);
  release();
  const page = await ana.get('/appointments/csv');
  expect([page.status, unread.total]).toEqual([200, 0]);
});

test('no new request is served while all clinics together have too many unread bytes', async () => {
  const release = dashboard.dependencies.unread.hold(null, 160 * MIB + 1);
  expect((await dashboard.stranger().get('/sign-in')).status).toBe(503);
  release();
  expect((await dashboard.stranger().get('/sign-in')).status).not.toBe(503);
});
