import { afterAll, beforeAll, expect, test } from '@jest/globals';
import Stripe from 'stripe';
import { aClinic, book, type TestClinic } from '../support/clinic.ts';
import { createWorkerSurroundings, type WorkerSurroundings } from './running-worker.ts';

let surroundings: WorkerSurroundings;
let clinic: TestClinic;

beforeAll(async () => {
  surroundings = await createWorkerSurroundings();
  clinic = await aClinic(surroundings.database, { professionals: 5 });
}, 60_000);
afterAll(() => surroundings.close());

test('a booking reaches the receiver, signed, once, and its workflows start eagerly', async () => {
  const receiver = await surroundings.startReceiver();
  const { secret } = await surroundings.subscribe(clinic.tenantId, receiver.url());
  const { metrics } = await surroundings.startWorker();
  const appointment = await book(surroundings.database, clinic);
  const [request] = await receiver.received(1);
  const event = Stripe.webhooks.constructEvent(
    request?.body ?? '',
    String(request?.headers['x-service-signature']),
    secret,
  );
  expect(event).toMatchObject({ type: 'appointment.created', data: { appointment: { id: appointment.id } } });
  console.log(Date.now() - new Date(request?.receivedAt ?? 0).getTime(), await metrics.expose());
});
