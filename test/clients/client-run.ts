import { expect } from '@jest/globals';
import { aStartedCall } from '../calls/call-builders.ts';
import { codeAfter } from '../docs/pages.ts';
import type { TestApi } from '../support/servers/api-server.ts';
import { inHours } from '../support/clinic.ts';

/** What a program of docs/clients.md is told by its environment. */
export async function clientEnvironment(api: TestApi): Promise<Record<string, string>> {
  return {
    API_URL: api.url,
    API_KEY: await api.keyOf(),
    PROFESSIONAL_ID: api.clinic.professionalIds[0] ?? '',
    SERVICE_ID: api.clinic.serviceTypeId,
    CALL_ID: await aStartedCall(api.client),
    STARTS_AT: inHours(24).toISOString(),
  };
}

export function clientProgram(name: string): string {
  return codeAfter('docs/clients.md', `<!-- snippet: ${name} -->`);
}

/** What the program says that it did is what the clinic has now. */
export async function expectDone(
  api: TestApi,
  output: string,
  environment: Record<string, string>,
  contentType: string,
): Promise<void> {
  const { booked, ...rest } = JSON.parse(output) as { booked: string };
  expect(rest).toEqual({ status: 'confirmed', listed: [booked], sizeBytes: 1000 });
  const appointment = await api.client.get(`/v1/appointments/${booked}`);
  expect(appointment.body).toMatchObject({
    patientName: 'Ana Martins',
    startsAt: environment['STARTS_AT'],
    professionalId: environment['PROFESSIONAL_ID'],
  });
  const { body } = await api.client.get(`/v1/calls/${environment['CALL_ID']}/recording`);
  const { pathname, search } = new URL(String(body['url']));
  const audio = await fetch(`${api.url}${pathname}${search}`);
  expect(audio.headers.get('content-type')).toBe(contentType);
  expect(Buffer.from(await audio.arrayBuffer())).toEqual(Buffer.alloc(1000));
}
