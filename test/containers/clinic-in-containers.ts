import { Stripe } from 'stripe';
import { inHours } from '../support/clinic.ts';
import { startReceiver, type Receiver } from '../support/servers/receiver.ts';
import type { Deployment } from './deployment.ts';

export const API = 'http://127.0.0.1:3000';

/** A clinic of the deployment that books and is told of it. */
export interface ClinicInContainers extends AsyncDisposable {
  receiver: Receiver;
  /** How many bookings were answered with 201. */
  booked(): number;
  /** Books the next hour; returns the status, or what the connection failed with. */
  book(): Promise<number | string>;
  /** The types of the events that arrived with a signature that holds. */
  verifiedEvents(): string[];
}

const PATIENT = { patientName: 'Ana Martins', patientPhone: '+351912345678' };

export async function aClinicIn(deployment: Deployment): Promise<ClinicInContainers> {
  const { admin } = deployment;
  const tenant = String((await admin('tenant', 'create', '--name', 'Aurora', '--specialty', 'dental'))['id']);
  const of = ['--tenant', tenant];
  const { key } = await admin('key', 'create', ...of);
  const professional = await admin(
    'professional',
    'create',
    ...of,
    '--name',
    'Ana',
    '--specialty',
    'Dentistry',
  );
  const service = await admin('service', 'create', ...of, '--name', 'Check-up', '--duration', '30');
  const receiver = await receiverFor(deployment);
  const headers = { authorization: `Bearer ${String(key)}`, 'content-type': 'application/json' };
  const post = (path: string, body: unknown) =>
    fetch(API + path, { method: 'POST', headers, body: JSON.stringify(body) });
  const endpoint = await post('/v1/webhook-endpoints', { url: receiver.address });
  if (endpoint.status !== 201) throw new Error(`no endpoint: ${await endpoint.text()}`);
  const { secret } = (await endpoint.json()) as { secret: string };
  let [next, booked] = [24, 0];
  return {
    receiver: receiver.receiver,
    booked: () => booked,
    async book() {
      const ids = { professionalId: professional['id'], serviceTypeId: service['id'] };
      next += 1;
      const body = {
        ...ids,
        ...PATIENT,
        startsAt: inHours(next).toISOString(),
        externalId: `booking-${next}`,
      };
      try {
        const answer = await post('/v1/appointments', body);
        await answer.arrayBuffer();
        if (answer.status === 201) booked += 1;
        return answer.status;
      } catch (error) {
        return error instanceof Error ? `${error.message} ${String(error.cause)}` : 'unknown';
      }
    },
    verifiedEvents: () =>
      receiver.receiver.requests.map(
        ({ body, headers: sent }) =>
          Stripe.webhooks.constructEvent(body, String(sent['x-service-signature']), secret).type,
      ),
    [Symbol.asyncDispose]: () => receiver.receiver.close(),
  };
}

/** Beside the containers, where the network that workers send from leads to this side of it. */
async function receiverFor({
  authority,
  script,
}: Deployment): Promise<{ receiver: Receiver; address: string }> {
  const gateway = await script(
    'docker',
    'network',
    'inspect',
    'clinic_outside',
    '--format',
    '{{(index .IPAM.Config 0).Gateway}}',
  );
  const receiver = await startReceiver(await authority.issue({ addresses: [gateway] }), { host: gateway });
  return { receiver, address: receiver.url('/hook', gateway) };
}

export async function httpStatus(url: string): Promise<number | null> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(5000) })).status;
  } catch {
    return null;
  }
}

export async function exitCodesOf({ compose }: Deployment, service: string): Promise<number[]> {
  const lines = (await compose('ps', '--all', '--format', 'json', service))
    .split('\n')
    .filter((line) => line !== '');
  return lines.map((line) => (JSON.parse(line) as { ExitCode: number }).ExitCode);
}
