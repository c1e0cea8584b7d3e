import { uuidv7 } from 'uuidv7';
import { insertPatientEmail } from '../../db/self-service/patient-emails.ts';
import { aSpeech, aStartedCall, CLINIC_NUMBER } from '../calls/call-builders.ts';
import { uploadTo } from '../calls/recording-builders.ts';
import { appointmentIn } from '../support/api-client.ts';
import type { TestApi } from '../support/servers/api-server.ts';
import { bookingBody, inHours } from '../support/clinic.ts';

export const PHONE = '+351961112223';
/** Words that stand nowhere else. */
export const PATIENT = { patientName: 'Zulmira Zorro', patientPhone: PHONE, patientNotes: 'zebra-allergy' };
export const TRACES = [
  'Zulmira',
  'zebra',
  'zigzag',
  'zenith',
  'zephyr',
  'zinc',
  'zodiac',
  'zumba',
  'zeppelin',
  'zigzagged',
  'zymurgy',
  'zabaione',
  'zany',
  'zagreb',
  PHONE,
];

/** What a receiver answered to the event of a recording. */
export const RECEIVER_SAID = 'no zither here';

/** Everything that the service may come to know of a patient. */
export async function aKnownPatient(
  { client, clinic, database }: TestApi,
  hour: number,
): Promise<{ appointmentId: string; movedId: string; callId: string; calledBackId: string }> {
  const details = {
    ...PATIENT,
    metadata: { nickname: 'zigzag' },
    externalId: 'zenith-1',
    patientExternalId: 'zephyr-7',
  };
  const key = { 'idempotency-key': uuidv7() };
  const booked = await client.post('/v1/appointments', bookingBody(clinic, inHours(hour), details), key);
  const { id: appointmentId } = appointmentIn(booked);
  await client.post('/v1/triage-forms', { appointmentId, answers: { main_complaint: 'zinc' } });
  await client.post('/v1/nps-responses', { appointmentId, score: 9, comment: 'zodiac' });
  await database.write((em) =>
    insertPatientEmail(
      em,
      { id: appointmentId, tenantId: clinic.tenantId, endsAt: inHours(hour + 1) },
      { email: 'zagreb@mail.example', language: 'pt' },
    ),
  );
  const moved = await client.patch(`/v1/appointments/${appointmentId}`, {
    startsAt: inHours(hour + 2).toISOString(),
  });
  const { id: movedId } = moved.body['replacement'] as { id: string };
  const refusal = { version: 1, state: 'refused', reason: 'zany is unknown' };
  for (const id of [appointmentId, movedId])
    await client.send('PUT', `/v1/appointments/${id}/acknowledgement`, { body: refusal });
  const callId = await aStartedCall(client, {
    fromNumber: PHONE,
    telephonyCallControlId: 'zigzagged-1',
    metadata: { mood: 'zumba' },
    language: 'de-x-zabaione',
  });
  const speech = { events: [aSpeech(0, { transcript: 'zeppelin' })] };
  await client.post(`/v1/calls/${callId}/events`, speech, { 'idempotency-key': uuidv7() });
  const ended = { endedAt: '2026-03-02T09:40:00.000Z', outcome: 'info_only' };
  await client.post(`/v1/calls/${callId}/complete`, { ...ended, summary: 'asked about zymurgy' });
  await uploadTo(client, callId);
  const calledBackId = await aStartedCall(client, { fromNumber: CLINIC_NUMBER, toNumber: PHONE });
  await client.post(`/v1/calls/${calledBackId}/events`, { events: [aSpeech(0, { transcript: 'zodiac' })] });
  await client.post(`/v1/calls/${calledBackId}/complete`, ended);
  await database.em().execute(
    `INSERT INTO webhook_attempt
       (tenant_id, delivery_id, number, started_at, duration_ms, outcome, error_class, response_status, response_excerpt)
     SELECT tenant_id, id, 1, now(), 5, 'failed', 'http_5xx', 500,
       CASE event_type WHEN 'call.recording_ready' THEN '${RECEIVER_SAID}' ELSE 'Zulmira is unknown' END
     FROM webhook_delivery WHERE appointment_id = ? OR event_type = 'call.recording_ready'
     ON CONFLICT DO NOTHING`,
    [appointmentId],
  );
  await database.em().execute(
    `INSERT INTO recall (tenant_id, patient_phone_hash, last_visit_at, created_at)
     SELECT tenant_id, patient_phone_hash, now() - interval '1 year', now() FROM appointment WHERE id = ?`,
    [appointmentId],
  );
  return { appointmentId, movedId, callId, calledBackId };
}
