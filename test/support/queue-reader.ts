import { createHmac } from 'node:crypto';
import type { ApiClient } from './api-client.ts';

export interface QueueItem {
  deliveryId: string;
  event: string;
  headers: Record<string, string>;
}

export interface QueuePage {
  items: QueueItem[];
  cursor: string;
}

/** Reads the queue of a pull endpoint. @throws when it is refused */
export async function queueOf(
  client: ApiClient,
  endpointId: string,
  query: Record<string, string | number> = {},
): Promise<QueuePage> {
  const asked = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  );
  const answer = await client.get(`/v1/webhook-endpoints/${endpointId}/queue?${asked.toString()}`);
  if (answer.status !== 200) throw new Error(`the queue was refused: ${JSON.stringify(answer.body)}`);
  return answer.body as unknown as QueuePage;
}

/** As a receiver of a POST verifies it. */
export function verifySignature({ event, headers }: QueueItem, secret: string): boolean {
  const signature = headers['X-Service-Signature'] ?? '';
  const [, t] = /^t=(\d+)/.exec(signature) ?? [];
  const digest = createHmac('sha256', secret).update(`${t}.${event}`).digest('hex');
  return signature.split(',').includes(`v1=${digest}`);
}
