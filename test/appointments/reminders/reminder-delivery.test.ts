import { expect, test } from '@jest/globals';
import { Stripe } from 'stripe';
import { createPatientLinks } from '../../../domain/appointments/patient-link.ts';
import { aClinic, book } from '../../support/clinic.ts';
import { forSuite } from '../../support/for-suite.ts';
import { TEST_ENCRYPTION_KEY } from '../../support/sealing.ts';
import { until } from '../../support/until.ts';
import { createWorkerSurroundings } from '../../worker/running-worker.ts';
import { setHours } from './reminded-clinic.ts';

const surroundings = await forSuite(createWorkerSurroundings());

/** A zone named after its offset, west positive, in which it is 14 now. */
function afternoon(): string {
  const west = (new Date().getUTCHours() - 14 + 36) % 24;
  return `Etc/GMT${west > 12 ? `+${west - 12}` : `-${12 - west}`}`;
}

test('a worker sends a reminder to the receiver that names it, signed, with the link of the patient', async () => {
  const { database } = surroundings;
  const clinic = await aClinic(database, { config: { timezone: afternoon() } });
  const receiver = await surroundings.startReceiver();
  const { secret } = await surroundings.subscribe(clinic.tenantId, receiver.url(), [
    'appointment.reminder_due',
  ]);
  const soon = new Date(Date.now() + 3_600_000 + 1500);
  const { id } = await book(database, clinic, { startsAt: soon });
  await until('the reminder is due', async () => Date.now() > soon.getTime() - 3_600_000);
  await setHours(database, clinic, [1]);
  await surroundings.startWorker();
  const [request] = await receiver.received(1);
  const event = Stripe.webhooks.constructEvent(
    request?.body ?? '',
    String(request?.headers['x-service-signature']),
    secret,
  ) as unknown as { type: string; data: { appointment: { id: string }; patientUrl: string } };
  expect(event).toMatchObject({
    type: 'appointment.reminder_due',
    data: { appointment: { id }, hoursBefore: 1 },
  });
  const [, token = ''] = event.data.patientUrl.split('https://dashboard.example/book/a/');
  expect(createPatientLinks([TEST_ENCRYPTION_KEY]).appointmentIdIn(token)).toBe(id);
});
