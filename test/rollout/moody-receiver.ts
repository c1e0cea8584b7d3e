import { expect } from '@jest/globals';
import type { Database } from '../../db/connection/open-database.ts';
import { WebhookAttemptEntity } from '../../db/entities/webhooks/webhook-attempt.entity.ts';
import { WebhookDeliveryEntity } from '../../db/entities/webhooks/webhook-delivery.entity.ts';
import type { Receiver, ReceivedRequest } from '../support/servers/receiver.ts';
import { until } from '../support/until.ts';

/** A receiver that refuses some events twice before it takes them. */
export interface MoodyReceiver {
  url: string;
  /** How many events it has taken. */
  taken(): number;
  /** Waits until each event has arrived; fails when one arrives or is attempted more often than it was refused. */
  hasEachOnce(database: Database, caused: number): Promise<void>;
}

/** @param share of the events, one in so many, that it refuses first */
export function moody(receiver: Receiver, share: number): MoodyReceiver {
  const refusals = new Map<string, number>();
  const taken = new Set<string>();
  let repeated = 0;
  receiver.otherwise((response, { headers }: ReceivedRequest) => {
    const event = String(headers['webhook-id']);
    const left = refusals.get(event) ?? (refusals.size % share === 0 ? 2 : 0);
    refusals.set(event, left - 1);
    if (left > 0) return void response.writeHead(503).end();
    if (taken.has(event)) repeated += 1;
    taken.add(event);
    return void response.writeHead(200).end();
  });
  return {
    url: receiver.url(),
    taken: () => taken.size,
    async hasEachOnce(database, caused) {
      const em = database.em();
      await until('all deliveries', async () => {
        return (await em.count(WebhookDeliveryEntity, { status: 'succeeded' })) === caused;
      });
      expect(await em.count(WebhookDeliveryEntity)).toBe(caused);
      expect({ taken: taken.size, repeated }).toEqual({ taken: caused, repeated: 0 });
      expect(await em.count(WebhookAttemptEntity)).toBe(receiver.requests.length);
    },
  };
}
