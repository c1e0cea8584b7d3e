import type { WebhookEndpointRow } from '../../db/entities/webhook-endpoint.entity.ts';
import { presented } from '../contract/presented.ts';
import { endpointSchema } from './contract.ts';

/** The secret stands beside it only where one was just made. */
export function presentEndpoint(row: WebhookEndpointRow) {
  return presented(endpointSchema, row);
}
