import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createPatientLinks } from '../../../domain/appointments/patient-link.ts';
import { book, change, inHours } from '../../support/clinic.ts';
import { startTestDashboard, type TestDashboard } from '../../support/pages/dashboard-server.ts';
import { storedAppointments } from '../../support/stored-appointments.ts';

let dashboard: TestDashboard;
const links = createPatientLinks([Buffer.alloc(32, 3)]);
beforeAll(async () => {
  dashboard = await startTestDashboard({ links });
});
afterAll(() => dashboard.stop());

test.each(['cancel', 'move'])(
  'a page that asks whether to %s a visit does nothing once the clinic has moved it, and shows where it is now',
  async (doing) => {
    const { database, clinic } = dashboard;
    const patient = dashboard.stranger();
    const [professionalId] = clinic.professionalIds;
    const [asked, elsewhere, wished] = [inHours(24), inHours(48), inHours(72)];
    const { id } = await book(database, clinic, { startsAt: asked, patientName: `To ${doing}` });
    const address = `/book/a/${links.tokenOf(id)}`;
    await patient.get(`${address}/${doing}?time=${wished.toISOString()}/${professionalId}`);
    const { replacement } = await change(database, clinic, id, { startsAt: elsewhere });

    const page = await patient.submit(`${address}/${doing}`);
    expect(page.url.pathname).toBe(address);
    expect(page.text).toContain(`datetime="${elsewhere.toISOString()}"`);
    const [now] = await storedAppointments(database, { id: replacement?.id });
    expect(now).toMatchObject({ status: 'confirmed', startsAt: elsewhere });
    await change(database, clinic, now?.id ?? '', { status: 'cancelled' });
  },
);
