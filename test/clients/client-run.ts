import { expect } from '@jest/globals';
import { aStartedCall } from '../calls/call-builders.ts';
import { deliveryHeaders } from '../../domain/webhooks/webhook-headers.ts';
import { sampleFile } from '../../docs-site/guides/sample-files.ts';
import type { TestApi } from '../support/servers/api-server.ts';
import { bookingBody, inHours } from '../support/clinic.ts';
import { startLaterVersion, withLaterFields } from './later-version.ts';
import { storedEvents } from '../support/stored/stored-events.ts';

export type ClientEnvironment = Record<
  'API_URL' | 'API_KEY' | 'PROFESSIONAL_ID' | 'SERVICE_ID' | 'CALL_ID' | 'STARTS_AT' | keyof ReceivedDelivery,
  string
>;

interface ReceivedDelivery {
  WEBHOOK_SECRET: string;
  SIGNATURE: string;
  RAW_BODY: string;
}

/** Runs a program of docs/clients.md against a later version of the API, and checks what it says that it did. */
export async function expectClientWorks(
  api: TestApi,
  runProgram: (environment: ClientEnvironment) => Promise<string>,
  recordingType?: string,
): Promise<void> {
  await using later = await startLaterVersion(api.url);
  const environment = await clientEnvironment(api, later.url);
  const output = await runProgram(environment);
  await expectDone(api, output, environment);
  if (recordingType !== undefined) await expectRecording(api, output, environment, recordingType);
}

/** A program that docs/clients.md shows. */
export function clientProgram(name: string): string {
  return sampleFile(name).text;
}

async function clientEnvironment(api: TestApi, url: string): Promise<ClientEnvironment> {
  return {
    API_URL: url,
    API_KEY: await api.keyOf(),
    PROFESSIONAL_ID: api.clinic.professionalIds[0] ?? '',
    SERVICE_ID: api.clinic.serviceTypeId,
    CALL_ID: await aStartedCall(api.client),
    STARTS_AT: inHours(24).toISOString(),
    ...(await aReceivedBooking(api)),
  };
}

/** What a receiver is sent of another booking: with fields more, signed as every delivery. */
async function aReceivedBooking(api: TestApi): Promise<ReceivedDelivery> {
  const { body: endpoint } = await api.client.post('/v1/webhook-endpoints', {
    url: 'https://pms.example/hook',
  });
  const { body: booked } = await api.client.post(
    '/v1/appointments',
    bookingBody(api.clinic, inHours(48), { patientPhone: '+351911111111' }),
  );
  const created = { appointmentId: String(booked['id']), type: 'appointment.created' } as const;
  const [event] = await storedEvents(api.database, created);
  if (!event) throw new Error('the booking has no event');
  const RAW_BODY = withLaterFields(event.body ?? '');
  const WEBHOOK_SECRET = String(endpoint['secret']);
  const { 'X-Service-Signature': SIGNATURE = '' } = deliveryHeaders({
    secrets: [WEBHOOK_SECRET],
    signedAt: new Date(),
    body: RAW_BODY,
    eventId: event.id,
    eventType: event.type,
    deliveryId: crypto.randomUUID(),
    attempt: 1,
  });
  return { WEBHOOK_SECRET, SIGNATURE, RAW_BODY };
}

/** What the program says that it did is what the clinic has now. */
async function expectDone(api: TestApi, output: string, environment: ClientEnvironment): Promise<void> {
  const { booked, status, listed, told } = JSON.parse(output) as Record<string, string> & {
    listed: string[];
  };
  const { data } = JSON.parse(environment.RAW_BODY) as { data: { appointment: { id: string } } };
  expect({ status, told }).toEqual({ status: 'confirmed', told: data.appointment.id });
  expect(listed).toContain(booked);
  const appointment = await api.client.get(`/v1/appointments/${booked}`);
  expect(appointment.body).toMatchObject({
    patientName: 'Ana Martins',
    startsAt: environment.STARTS_AT,
    professionalId: environment.PROFESSIONAL_ID,
  });
}

async function expectRecording(
  api: TestApi,
  output: string,
  { CALL_ID }: ClientEnvironment,
  contentType: string,
): Promise<void> {
  expect(JSON.parse(output)).toMatchObject({ sizeBytes: 1000 });
  const { body } = await api.client.get(`/v1/calls/${CALL_ID}/recording`);
  const { pathname, search } = new URL(String(body['url']));
  const audio = await fetch(`${api.url}${pathname}${search}`);
  expect(audio.headers.get('content-type')).toBe(contentType);
  expect(Buffer.from(await audio.arrayBuffer())).toEqual(Buffer.alloc(1000));
}
