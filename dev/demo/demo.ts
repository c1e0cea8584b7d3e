import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Booking, DemoAppointment } from './demo-api.ts';
import { heading, register, type Demo } from './demo-surroundings.ts';

const HALF_HOUR_MS = 1_800_000;
const DAY_MS = 86_400_000;
const RECORDED_LIMIT_MS = 20_000;
const FAILURES = 2;
const EVENTS = ['appointment.*'];

/** Books, checks in and cancels, with a working receiver and one that fails twice, and prints the deliveries. */
export async function runDemo(demo: Demo): Promise<void> {
  const { report, running, receiver } = demo;
  report.line(`A clinic's day against ${running.apiUrl}`);
  await register(demo, '/pms', { events: EVENTS });

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
  const endpointId = await register(demo, '/crm', { events: EVENTS, failures: FAILURES });
  const third = await book(demo);
  await receiver.until('/pms', 'appointment.created');
  await followRetries(demo, endpointId);

  heading(demo, '5. The demo cleans up');
  await setStatus(demo, third, 'cancelled');
  await Promise.all(['/pms', '/crm'].map((path) => receiver.until(path, 'appointment.cancelled')));
  report.line('');
  report.line('Every event arrived, every signature was right. The endpoints of the demo are deleted again.');
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
    // A new patient each time, because an interrupted demo may have left a booking.
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
    report.line(`   ${delivery.status}: attempt ${failed + 1} is due at ${delivery.nextAttemptAt}`);
    receiver.mark();
    await demo.api.retryNow(delivery.id);
    report.line('   POST /v1/webhook-deliveries/{id}/retry-now → 202');
    await receiver.until('/crm', 'appointment.created', failed + 1);
  }
  const { status, workflowId } = await untilRecorded(demo, endpointId, FAILURES + 1);
  report.line(`   ${status} after ${FAILURES + 1} attempts`);
  const workflow = `namespaces/${running.temporalNamespace}/workflows/${encodeURIComponent(workflowId)}`;
  if (running.temporalUiUrl !== null) report.line(`   its workflow: ${running.temporalUiUrl}/${workflow}`);
}

/** Waits until an attempt is recorded, which happens just after the response. */
async function untilRecorded({ api, stopping }: Demo, endpointId: string, attempts: number) {
  const deadline = Date.now() + RECORDED_LIMIT_MS;
  while (Date.now() < deadline) {
    const found = await api.newestDeliveryTo(endpointId);
    if (found?.attemptCount === attempts) return found;
    await delay(50, undefined, { signal: stopping });
  }
  throw new Error(`attempt ${attempts} was not recorded within 20 seconds`);
}
