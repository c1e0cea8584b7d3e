import { createWebhookClient, type WebhookClient } from '../../../adapters/webhooks/webhook-client.ts';
import { createTestAuthority } from './certificates.ts';
import { startReceiver, type Receiver } from './receiver.ts';

export interface TrustedReceiver {
  receiver: Receiver;
  /** Trusts the receiver's authority, and may reach this machine. */
  webhookClient: WebhookClient;
  [Symbol.asyncDispose](): Promise<void>;
}

/** A receiver, and the client that sends to it. */
export async function startTrustedReceiver(): Promise<TrustedReceiver> {
  const authority = await createTestAuthority();
  const receiver = await startReceiver(await authority.issue());
  const webhookClient = createWebhookClient({
    allowedCidrs: ['127.0.0.0/8', '::1/128'],
    extraCaPem: authority.caPem,
  });
  return {
    receiver,
    webhookClient,
    async [Symbol.asyncDispose]() {
      await webhookClient.close();
      await receiver.close();
    },
  };
}
