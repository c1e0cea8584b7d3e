import { expect, test } from '@jest/globals';
import { uuidv7 } from 'uuidv7';
import { createCallNumberVault } from '../../adapters/phones/call-numbers.ts';
import { createPhoneHash } from '../../adapters/phones/phone-hash.ts';
import { completeCall, startCall } from '../../commands/calls/record-call.ts';
import { deactivateEndpoint, enableEndpoint } from '../../commands/webhooks/change-endpoint-health.ts';
import { acknowledgeAppointment } from '../../commands/appointments/acknowledge-appointment.ts';
import { markNoShow } from '../../commands/appointments/mark-no-show.ts';
import { sendTestEvent } from '../../commands/webhooks/send-test-event.ts';
import { storeRecording } from '../../commands/calls/upload-recording.ts';
import { submitNps, submitTriage } from '../../commands/appointments/patient-answers.ts';
import { updateTenant } from '../../commands/clinic/update-tenant.ts';
import { setWatch } from '../../db/appointments/acknowledgement-watch.ts';
import type { OpenedEvent } from '../../db/webhooks/events/sealed-body.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { WebhookDeliveryEntity } from '../../db/entities/webhooks/webhook-delivery.entity.ts';
import { EVENT_TYPES, TEST_EVENT_TYPE } from '../../domain/webhooks/event-types.ts';
import { foundBy } from '../../domain/webhooks/events/patient-data.schema.ts';
import { WEBHOOK_EVENTS } from '../../domain/webhooks/events/webhook-events.schema.ts';
import { aClinic, anEndpoint, asOperator, book, change, inHours } from '../support/clinic.ts';
import { suiteDatabase } from '../support/database.ts';
import { attempted } from '../webhooks/recorded-attempts.ts';
import { expectDocumented } from './documented-event.ts';
import { guide } from './guide.ts';
import { storedEvents } from '../support/stored/stored-events.ts';

const database = await suiteDatabase();
const clinic = await aClinic(database);

test('what the clinic’s day records is what the documentation says, field by field', async () => {
  await appointmentsComeAndGo();
  await aCallIsTaken();
  await patientsAnswer();
  await settingsChange();
  await testsAreAskedFor();
  await anEndpointFails();
  const events = await recorded();
  for (const { type, body, appointmentId } of events) {
    expectDocumented(type, body ?? '');
    // By it erasing a patient finds the event.
    expect([type, appointmentId !== null]).toEqual([type, foundBy(type) === 'appointment']);
  }
  const types = new Set(events.map(({ type }) => type));
  // The scans for recalls and reminders, and erasure have suites of their own.
  const elsewhere = ['patient.recall_due', 'appointment.reminder_due', 'patient.erased'];
  const caused = [...EVENT_TYPES, TEST_EVENT_TYPE].filter((type) => !elsewhere.includes(type));
  expect([...types].toSorted()).toEqual(caused.toSorted());
});

test.each(WEBHOOK_EVENTS)('the example of $type is documented to the last field', ({ type, example }) => {
  expectDocumented(type, JSON.stringify(example));
});

test('the largest event is no larger than the guide says', async () => {
  const { tenantId } = await aClinic(database);
  const setting = (letter: string) => letter.repeat(65_000);
  for (const config of [{ [setting('a')]: 1 }, { [setting('a')]: null, [setting('b')]: 1 }]) {
    await database.write((em) => updateTenant(em, { tenantId, config }, asOperator()));
  }
  const events = await storedEvents(database, { tenantId });
  const [told = ''] = /never over\s+\d+ KiB/.exec(guide) ?? [];
  const bytes = events.map(({ body }) => Buffer.byteLength(body ?? ''));
  expect(Math.max(...bytes)).toBeGreaterThan(190_000);
  expect(Math.max(...bytes)).toBeLessThanOrEqual(Number(/\d+/.exec(told)) * 1024);
});

async function appointmentsComeAndGo(): Promise<void> {
  const metadata = { chair: 2 };
  const edited = await book(database, clinic, { startsAt: inHours(24) });
  await change(database, clinic, edited.id, {
    patientNotes: 'Prefers mornings',
    metadata,
    externalId: 'pms-1',
  });
  await change(database, clinic, edited.id, { patientNotes: null });
  const patient = { patientName: 'Mara', patientPhoneHash: 'b'.repeat(64), patientExternalId: 'p-1' };
  await change(database, clinic, edited.id, { ...patient, endsAt: new Date(inHours(24).getTime() + 60_000) });
  await change(database, clinic, edited.id, { status: 'attended' });
  const cancelled = await book(database, clinic, { startsAt: inHours(25) });
  await change(database, clinic, cancelled.id, { status: 'cancelled', reason: 'patient_requested' });
  const moved = await book(database, clinic, { startsAt: inHours(26) });
  await change(database, clinic, moved.id, { startsAt: inHours(27) });
  const missed = await book(database, clinic, { startsAt: inHours(-3) });
  const noShow = { tenantId: clinic.tenantId, appointmentId: missed.id };
  await database.write((em) => markNoShow(em, noShow, asOperator()));
  const refusal = { ...noShow, version: 2, state: 'refused', reason: 'Patient 381 is blocked' } as const;
  await database.write((em) => setWatch(em, clinic.tenantId, 15));
  await database.write((em) => acknowledgeAppointment(em, refusal, asOperator()));
}

async function aCallIsTaken(): Promise<void> {
  const call = { tenantId: clinic.tenantId, callId: uuidv7() };
  const startedAt = new Date('2026-03-02T08:58:11.000Z');
  const started = { ...call, startedAt, fromNumber: '+351912345678', toNumber: '+351210000000' };
  const ended = { endedAt: new Date('2026-03-02T09:00:25.400Z'), outcome: 'booking_created' as const };
  const recording = {
    contentType: 'audio/mpeg',
    keySealed: null,
    sizeBytes: 3,
    sha256: Buffer.alloc(32),
    uploadedAt: new Date(),
  };
  const phoneHash = createPhoneHash({ current: Buffer.alloc(32, 2) });
  const numbers = await createCallNumberVault(database.ciphers, phoneHash).of(clinic.tenantId);
  await database.write(async (em) => {
    await startCall(em, { ...started, telephonyCallControlId: null, metadata: {} }, numbers, asOperator());
    await completeCall(em, { ...call, ...ended, transcriptionWordCount: null }, numbers, asOperator());
    await storeRecording(em, { ...call, ...recording, id: uuidv7() }, false, asOperator());
  });
}

async function patientsAnswer(): Promise<void> {
  const { tenantId } = clinic;
  const answers = { main_complaint: 'Toothache', since: '3 days', severity: 4, other: null };
  for (const [hours, comment] of [
    [28, 'Very kind'],
    [29, null],
  ] as const) {
    const { id: appointmentId } = await book(database, clinic, { startsAt: inHours(hours) });
    await database.write(async (em) => {
      await submitTriage(em, { tenantId, appointmentId, answers }, asOperator());
      await submitNps(em, { tenantId, appointmentId, score: 10, comment }, asOperator());
    });
  }
}

async function settingsChange(voiceSpeed = 1.2): Promise<void> {
  const config = { voiceSpeed, fallbackHumanNumber: null, anything: { of: ['theirs'] } };
  await database.write((em) => updateTenant(em, { tenantId: clinic.tenantId, config }, asOperator()));
}

async function anEndpointFails(): Promise<void> {
  const { tenantId } = clinic;
  const place = { tenantId, endpointId: await anEndpoint(database, tenantId, ['tenant.*']) };
  await settingsChange(1.3);
  const [delivery] = await database.em().find(WebhookDeliveryEntity, place);
  if (!delivery) throw new Error('the change was not sent');
  await attempted(database, delivery, { number: 6, status: 500 });
  await database.write((em) => deactivateEndpoint(em, place, inHours(25)));
  await database.write((em) => enableEndpoint(em, place, asOperator()));
}

async function testsAreAskedFor(): Promise<void> {
  const endpointId = await anEndpoint(database, clinic.tenantId);
  const ask = (exampleOf: 'nps.submitted' | null) => (em: EntityManager) =>
    sendTestEvent(em, { tenantId: clinic.tenantId, endpointId, exampleOf }, asOperator());
  await database.write(ask(null));
  await database.write(ask('nps.submitted'));
}

function recorded(): Promise<OpenedEvent[]> {
  return storedEvents(database, { tenantId: clinic.tenantId });
}
