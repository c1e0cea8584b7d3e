import { Client, Connection } from '@temporalio/client';
import type { TemporalConfig } from './temporal-config.ts';

const CONNECT_LIMIT = '5 seconds';
const CALL_LIMIT_MS = 5000;

export type Temporal = ReturnType<typeof connectTemporal>;

/**
 * A client for processes that ask Temporal now and then; workers have a connection of their own kind. Connects at the first
 * question, so a process starts while Temporal is away.
 */
export function connectTemporal({ namespace, connection: options }: TemporalConfig) {
  const connection = Connection.lazy({ ...options, connectTimeout: CONNECT_LIMIT });
  const client = new Client({ connection, namespace });
  const asked = new Set<Promise<unknown>>();
  return {
    namespace,
    connection,
    /** Every call in `work` fails after five seconds rather than waiting for a server that is away. */
    ask<T>(work: (client: Client) => Promise<T>): Promise<T> {
      const answer = client.withDeadline(Date.now() + CALL_LIMIT_MS, () => work(client));
      asked.add(answer);
      const forget = () => void asked.delete(answer);
      answer.then(forget, forget);
      return answer;
    },
    async [Symbol.asyncDispose](): Promise<void> {
      // A call that is repeated on a closed connection would end the process.
      await Promise.allSettled(asked);
      await connection.close();
    },
  };
}
