import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { uuidv7 } from 'uuidv7';
import { appointmentIn, createApiClient, type ApiClient } from '../../support/api-client.ts';
import { aClinic, bookingBody, inHours } from '../../support/clinic.ts';
import { startTestApi, type TestApi } from '../../support/servers/api-server.ts';

const CLINICS = 3;
const READS_OF_EACH = 12;

let api: TestApi;
beforeAll(async () => (api = await startTestApi()));
afterAll(() => api.stop());

async function aClinicWithAppointment(): Promise<{ client: ApiClient; id: string }> {
  const clinic = await aClinic(api.database);
  const client = createApiClient(api.url, await api.keyOf({ tenantId: clinic.tenantId }));
  const booked = await client.post('/v1/appointments', bookingBody(clinic, inHours(24)));
  return { client, id: appointmentIn(booked).id };
}

test('reads of many clinics that arrive together each get their own appointment, or none', async () => {
  const clinics = await Promise.all(Array.from({ length: CLINICS }, aClinicWithAppointment));
  const reads = clinics.flatMap(({ client, id: own }, at) => {
    const anothers = clinics[(at + 1) % CLINICS]?.id;
    return Array.from({ length: READS_OF_EACH }, (_, nr) => {
      const id = [own, anothers, uuidv7()][nr % 3] as string;
      return { id, isOwn: id === own, answer: client.get(`/v1/appointments/${id}`) };
    });
  });
  const answers = await Promise.all(
    reads.map(async ({ id, isOwn, answer }) => ({ id, isOwn, answer: await answer })),
  );
  for (const { id, isOwn, answer } of answers) {
    expect(answer.status).toBe(isOwn ? 200 : 404);
    if (isOwn) expect(appointmentIn(answer).id).toBe(id);
  }
});
