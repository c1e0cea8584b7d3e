import { join } from 'node:path';
import { FIRST_ORGANISATION } from '../../../dev/first-clinic/make-first-clinic.ts';
import { readFirstClinic, type FirstClinic } from '../../../dev/first-clinic/first-clinic.ts';
import type { Receiver } from '../../support/servers/receiver.ts';
import type { ApiAnswer, RunningInstance } from '../../support/servers/service.ts';

/** Short waits but for the first, in which someone can look at a delivery that is to be tried again. */
export const CALM_FIRST_RETRY = { WEBHOOK_RETRY_DELAYS_SECONDS: '600,1,1,1,1' };

/** What happens in the clinic of the demo people, as a PMS causes it. */
export interface ClinicAtWork extends FirstClinic {
  /** With its key that may do everything; anything but 2xx is an error. */
  ask(method: string, path: string, body?: unknown): Promise<ApiAnswer['body']>;
  /** At the next time that is free; returns its id. */
  book(patientName: string): Promise<string>;
  /** One that gets bookings, and nothing else. */
  addEndpoint(receiver: Receiver): Promise<{ id: string; secret: string }>;
  /** All there are. */
  removeEndpoints(): Promise<void>;
}

export function clinicAtWork(service: RunningInstance): ClinicAtWork {
  const clinic = readFirstClinic(join(service.dataDirectory, 'demo.json'));
  if (!clinic) throw new Error('the service has no clinic yet');
  const ask: ClinicAtWork['ask'] = async (method, path, body) => {
    const answer = await service.request(clinic.key, method, path, body);
    if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const serviceTypeId = clinic.services[0]?.id ?? '';
  return {
    ...clinic,
    ask,
    async book(patientName) {
      const [from, to] = [1, 8].map((days) => new Date(Date.now() + days * 86_400_000).toISOString());
      const question = new URLSearchParams({ serviceTypeId, from: from ?? '', to: to ?? '', limit: '1' });
      const { items } = await ask('GET', `/v1/availability?${question.toString()}`);
      const [{ professionalId, startsAt }] = items as [{ professionalId: string; startsAt: string }];
      const wanted = { professionalId, serviceTypeId, startsAt, patientName, patientPhone: '+351912345678' };
      return String((await ask('POST', '/v1/appointments', wanted))['id']);
    },
    async addEndpoint(receiver) {
      const wanted = { url: receiver.url(), events: ['appointment.created'] };
      const { id, secret } = await ask('POST', '/v1/webhook-endpoints', wanted);
      return { id: String(id), secret: String(secret) };
    },
    async removeEndpoints() {
      const { items } = await ask('GET', '/v1/webhook-endpoints');
      for (const { id } of items as { id: string }[]) await ask('DELETE', `/v1/webhook-endpoints/${id}`);
    },
  };
}

/** The demo people have signed up a clinic that has nothing yet; theirs again once it is disposed of. */
export async function aClinicThatBegins(service: RunningInstance): Promise<AsyncDisposable> {
  const { tenantId } = clinicAtWork(service);
  const belongTo = (tenant: string, organisation: string) =>
    service.admin('tenant', 'update', '--tenant', tenant, '--identity-org-id', organisation);
  await belongTo(tenantId, `org_${tenantId}`);
  const wanted = ['--name', 'Clínica Nova', '--specialty', 'dental', '--identity-org-id', FIRST_ORGANISATION];
  const { id } = await service.admin<{ id: string }>('tenant', 'create', ...wanted);
  return {
    async [Symbol.asyncDispose]() {
      await belongTo(id, `org_${id}`);
      await belongTo(tenantId, FIRST_ORGANISATION);
    },
  };
}
