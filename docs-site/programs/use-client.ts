import { createClinicApi, dataOf, readEvent, type Appointment } from 'clinic-appointments-client';

const {
  API_URL = '',
  API_KEY = '',
  PROFESSIONAL_ID = '',
  SERVICE_ID = '',
  CALL_ID = '',
  STARTS_AT = '',
} = process.env;

const api = createClinicApi({ url: API_URL, apiKey: API_KEY });

// Throws a RefusedError if the API refuses the booking.
const booked: Appointment = dataOf(
  await api.bookAppointment(
    {
      professionalId: PROFESSIONAL_ID,
      serviceTypeId: SERVICE_ID,
      patientName: 'Ana Martins',
      patientPhone: '+351912345678',
      startsAt: STARTS_AT,
    },
    { 'Idempotency-Key': crypto.randomUUID() },
  ),
);

const read = dataOf(await api.getAppointment(booked.id));

const page = dataOf(await api.listAppointments({ from: STARTS_AT, limit: 10 }));

const audio = new Blob([new Uint8Array(1000)]);
const recording = dataOf(
  await api.uploadCallRecording(CALL_ID, audio, {}, { headers: { 'Content-Type': 'audio/wav' } }),
);

/** As a receiver gets it: the header `X-Service-Signature`, and the body as it arrived. */
const { SIGNATURE, RAW_BODY = '', WEBHOOK_SECRET = '' } = process.env;
const event = readEvent(SIGNATURE, Buffer.from(RAW_BODY), WEBHOOK_SECRET);

console.log(
  JSON.stringify({
    booked: booked.id,
    status: read.status,
    listed: page.items.map(({ id }) => id),
    sizeBytes: recording.sizeBytes,
    told: event.type === 'appointment.created' ? event.data.appointment.id : event.type,
  }),
);
