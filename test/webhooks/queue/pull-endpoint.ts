import { createApiClient, type ApiAnswer, type ApiClient } from '../../support/api-client.ts';
import { aClinic } from '../../support/clinic.ts';
import { queueOf, type QueuePage } from '../../support/queue-reader.ts';
import type { TestApi } from '../../support/servers/api-server.ts';

export interface PullEndpoint {
  tenantId: string;
  endpointId: string;
  secret: string;
  key: string;
  /** Of the clinic, with every scope. */
  client: ApiClient;
  read(query?: Record<string, string | number>): Promise<QueuePage>;
  /** The endpoint as the API shows it. */
  shown(): Promise<ApiAnswer['body']>;
  statusOf(deliveryId: string): Promise<unknown>;
}

/** @param tenantId a new clinic by default */
export async function aPullEndpoint(
  api: TestApi,
  { tenantId, ...fields }: { tenantId?: string; [field: string]: unknown } = {},
): Promise<PullEndpoint> {
  const ofClinic = tenantId ?? (await aClinic(api.database)).tenantId;
  const key = await api.keyOf({ tenantId: ofClinic });
  const client = createApiClient(api.url, key);
  const created = await client.post('/v1/webhook-endpoints', { delivery: 'pull', ...fields });
  if (created.status !== 201) throw new Error(`no endpoint was created: ${JSON.stringify(created.body)}`);
  const endpointId = String(created.body['id']);
  const bodyAt = async (path: string) => (await client.get(path)).body;
  return {
    tenantId: ofClinic,
    endpointId,
    secret: String(created.body['secret']),
    key,
    client,
    read: (query) => queueOf(client, endpointId, query),
    shown: () => bodyAt(`/v1/webhook-endpoints/${endpointId}`),
    statusOf: async (id) => (await bodyAt(`/v1/webhook-deliveries/${id}`))['status'],
  };
}
