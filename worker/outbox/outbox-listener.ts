import type { Logger } from '../../adapters/logs/logger.ts';
import { pause } from '../../adapters/timing/pause.ts';
import { newClient, DatabaseHosts } from '../../db/connection/hosts.ts';
import { OUTBOX_CHANNEL } from '../../db/outbox/outbox-notifier.ts';

const RECONNECT_AFTER_MS = 1000;
const CONNECT_LIMIT_MS = 5000;

export interface OutboxListenerOptions {
  databaseUrl: string;
  logger: Logger;
  /** Called after each NOTIFY and after each (re)connection, because notifications sent meanwhile are lost. */
  onNotify: () => void;
}

/** Listens for new outbox rows on its own connection until `signal` aborts, and reconnects after a loss. */
export async function listenToOutbox(options: OutboxListenerOptions, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await listenUntilLost(options, signal);
    } catch (error) {
      options.logger.warn({ err: error }, 'outbox.listener_lost');
    }
    await pause(RECONNECT_AFTER_MS, signal);
  }
}

async function listenUntilLost({ databaseUrl, onNotify }: OutboxListenerOptions, signal: AbortSignal) {
  const client = newClient(new DatabaseHosts(databaseUrl), {
    application_name: 'worker outbox listener',
    connectionTimeoutMillis: CONNECT_LIMIT_MS,
  });
  const lost = new Promise<void>((resolve, reject) => {
    client.on('error', reject);
    client.on('end', resolve);
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  // A loss before it is awaited below shows up in the calls in between.
  lost.catch(() => undefined);
  client.on('notification', onNotify);
  try {
    await client.connect();
    await client.query(`LISTEN ${OUTBOX_CHANNEL}`);
    onNotify();
    await lost;
  } finally {
    await client.end().catch(() => undefined);
  }
}
