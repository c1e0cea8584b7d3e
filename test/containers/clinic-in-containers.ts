import { Stripe } from 'stripe';
import { aClinicByAdmin } from '../admin/clinic-by-admin.ts';
import { inHours } from '../support/clinic.ts';
import { startReceiver, type Receiver } from '../support/servers/receiver.ts';
import type { Deployment } from './deployment.ts';

export const API = 'http://127.0.0.1:3000';

/** A clinic of the deployment that books and receives events. */
export interface ClinicInContainers extends AsyncDisposable {
  receiver: Receiver;
  /** How many bookings were answered with 201. */
  booked(): number;
  /** Books the next hour; returns the status, or what the connection failed with. */
  book(): Promise<number | string>;
  /** Books within the days for which a timer is started at once; returns the appointment's id. */
  bookSoon(): Promise<string>;
  cancel(appointment: string): Promise<void>;
  /** The types of the events that arrived with a signature that holds. */
  verifiedEvents(): string[];
}

const PATIENT = { patientName: 'Ana Martins', patientPhone: '+351912345678' };

export async function aClinicIn(deployment: Deployment): Promise<ClinicInContainers> {
  return aClinicAt({ api: API, admin: deployment.admin, ...(await receiverFor(deployment)) });
}

/** How a service is reached, and where its webhooks are to go. */
export interface HandlerContext extends Pick<Deployment, 'admin'> {
  api: string;
  receiver: Receiver;
  /** The receiver's, as workers see it. */
  address: string;
}

export async function aClinicAt(surroundings: HandlerContext): Promise<ClinicInContainers> {
  const { api, receiver, address } = surroundings;
  const { key, ...ids } = await aClinicByAdmin(surroundings.admin);
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const ask = (method: string, path: string, body?: unknown) =>
    fetch(api + path, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
  const endpoint = await ask('POST', '/v1/webhook-endpoints', { url: address });
  if (endpoint.status !== 201) throw new Error(`no endpoint: ${await endpoint.text()}`);
  const { secret } = (await endpoint.json()) as { secret: string };
  let [next, nextSoon, booked] = [24, 24, 0];
  const post = async (startsAt: Date, externalId: string): Promise<Response> => {
    const body = { ...ids, ...PATIENT, startsAt: startsAt.toISOString(), externalId };
    const answer = await ask('POST', '/v1/appointments', body);
    if (answer.status === 201) booked += 1;
    return answer;
  };
  return {
    receiver,
    booked: () => booked,
    async book() {
      next += 1;
      try {
        const answer = await post(inHours(next), `booking-${next}`);
        await answer.arrayBuffer();
        return answer.status;
      } catch (error) {
        return error instanceof Error ? `${error.message} ${String(error.cause)}` : 'unknown';
      }
    },
    async bookSoon() {
      nextSoon += 1;
      // The halves of the hours that book() leaves.
      const answer = await post(inHours(nextSoon + 0.5), `soon-${nextSoon}`);
      if (answer.status !== 201) throw new Error(`a booking was refused: ${await answer.text()}`);
      return ((await answer.json()) as { id: string }).id;
    },
    async cancel(appointment) {
      const answer = await ask('DELETE', `/v1/appointments/${appointment}`);
      if (answer.status !== 204) throw new Error(`a cancellation was refused: ${await answer.text()}`);
    },
    verifiedEvents: () =>
      receiver.requests.map(
        ({ body, headers: sent }) =>
          Stripe.webhooks.constructEvent(body, String(sent['x-service-signature']), secret).type,
      ),
    [Symbol.asyncDispose]: () => receiver.close(),
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
