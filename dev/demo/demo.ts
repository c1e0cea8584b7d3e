import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { deleteEndpoint } from '../../commands/webhooks/change-endpoint-health.ts';
import { listDeliveries } from '../../db/webhooks/deliveries/list-deliveries.ts';
import type { WebhookDeliveryRow } from '../../db/entities/webhook-delivery.entity.ts';
import type { Booking, DemoAppointment } from './demo-api.ts';
import type { Demo } from './demo-surroundings.ts';

const HALF_HOUR_MS = 1_800_000;
const DAY_MS = 86_400_000;
const RECORDED_LIMIT_MS = 20_000;
const FAILURES = 2;

/** Books, checks in and cancels, with a receiver that works and one that fails twice, and prints what arrives. */
export async function runDemo(demo: Demo): Promise<void> {
  const { report, running, receiver } = demo;
  report.line(`A clinic's day against ${running.apiUrl}`);
  await register(demo, '/pms', 0);

  heading(demo, '1. A patient books');
  const first = await book(demo);
  await receiver.until('/pms', 'appointment.created');

  heading(demo, '2. The patient checks in, so there will be no no-show');
  await setStatus(demo, first, 'attended');
  await receiver.until('/pms', 'appointment.attended');

  heading(demo, '3. Another patient books and cancels');
  const second = await book(demo);
  await receiver.until('/pms', 'appointment.created');
  await setStatus(demo, second, 'cancelled');
  await receiver.until('/pms', 'appointment.cancelled');

  heading(demo, `4. A second receiver fails ${FAILURES} times; each retry is brought forward`);
  const endpointId = await register(demo, '/crm', FAILURES);
  const third = await book(demo);
  await receiver.until('/pms', 'appointment.created');
  await followRetries(demo, endpointId);

  heading(demo, '5. The demo cleans up');
  await setStatus(demo, third, 'cancelled');
  await Promise.all(['/pms', '/crm'].map((path) => receiver.until(path, 'appointment.cancelled')));
  report.line('');
  report.line('Every event arrived, every signature was right. The endpoints of the demo are deleted again.');
}

function heading({ report }: Demo, text: string): void {
  report.line('');
  report.line(text);
}

/** Adds an endpoint for appointment events and returns its id; it is deleted when the demo ends, however it ends. */
async function register(demo: Demo, path: string, failures: number): Promise<string> {
  const { clinic, receiver, resources, database, report } = demo;
  const url = receiver.url(path);
  const words = Object.entries({
    '--tenant': clinic.tenantId,
    '--url': url,
    '--events': 'appointment.*',
    '--description': 'Demo',
  }).flat();
  const created = await demo.admin('endpoint', 'create', ...words);
  const { id, secret } = z.object({ id: z.string(), secret: z.string() }).parse(created);
  const context = { actor: 'operator', requestId: null, now: new Date() };
  resources.defer(() =>
    database.write((em) => deleteEndpoint(em, { tenantId: clinic.tenantId, endpointId: id }, context)),
  );
  receiver.expect(path, secret, failures);
  report.line(`   admin -- endpoint create --url ${url}`);
  return id;
}

async function book(demo: Demo): Promise<DemoAppointment> {
  demo.receiver.mark();
  const appointment = await demo.api.book(aBooking(demo));
  demo.report.line(`   POST /v1/appointments → 201 ${appointment.status}, ${appointment.startsAt}`);
  return appointment;
}

function aBooking({ clinic }: Demo): Booking {
  const startsAt = new Date(Math.ceil(Date.now() / HALF_HOUR_MS) * HALF_HOUR_MS + DAY_MS);
  return {
    professionalId: clinic.professionals[0]?.id ?? '',
    serviceTypeId: clinic.services[0]?.id ?? '',
    patientName: 'Maria Silva',
    // Another patient each time: one whom a demo that broke off has left would be booked already.
    patientPhone: `+35191${randomInt(1_000_000, 10_000_000)}`,
    startsAt: startsAt.toISOString(),
  };
}

async function setStatus(demo: Demo, { id }: DemoAppointment, status: 'attended' | 'cancelled') {
  demo.receiver.mark();
  const changed = await demo.api.setStatus(id, status);
  demo.report.line(`   PATCH /v1/appointments/{id} → 200 ${changed.status}`);
}

async function followRetries(demo: Demo, endpointId: string): Promise<void> {
  const { receiver, report, running } = demo;
  await receiver.until('/crm', 'appointment.created');
  for (let failed = 1; failed <= FAILURES; failed += 1) {
    const delivery = await untilRecorded(demo, endpointId, failed);
    report.line(
      `   ${delivery.status}: attempt ${failed + 1} is due at ${delivery.nextAttemptAt?.toISOString()}`,
    );
    receiver.mark();
    report.line(`   admin -- delivery retry-now --delivery ${delivery.id}`);
    await demo.admin('delivery', 'retry-now', '--delivery', delivery.id);
    await receiver.until('/crm', 'appointment.created', failed + 1);
  }
  const { status, workflowId } = await untilRecorded(demo, endpointId, FAILURES + 1);
  report.line(`   ${status} after ${FAILURES + 1} attempts`);
  const workflow = `namespaces/${running.temporalNamespace}/workflows/${encodeURIComponent(workflowId)}`;
  if (running.temporalUiUrl !== null) report.line(`   its workflow: ${running.temporalUiUrl}/${workflow}`);
}

/** The service writes an attempt down just after the receiver has answered. */
async function untilRecorded(demo: Demo, endpointId: string, attempts: number): Promise<WebhookDeliveryRow> {
  const { database, clinic, stopping } = demo;
  const deadline = Date.now() + RECORDED_LIMIT_MS;
  while (Date.now() < deadline) {
    const newest = await listDeliveries(database.em(), { tenantId: clinic.tenantId, limit: 20 });
    const found = newest.find(({ delivery }) => delivery.endpointId === endpointId)?.delivery;
    if (found?.attemptCount === attempts) return found;
    await delay(50, undefined, { signal: stopping });
  }
  throw new Error(`attempt ${attempts} was not recorded within 20 seconds`);
}
