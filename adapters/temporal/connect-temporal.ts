import { type TLSConfig, Client, Connection } from '@temporalio/client';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import { z } from 'zod';

/** Where Temporal is and who we are there; the shape that every kind of connection takes. */
export interface TemporalConfig {
  namespace: string;
  connection: {
    address: string;
    apiKey?: string;
    tls?: TLSConfig | boolean;
    metadata?: Record<string, string>;
  };
}

/** Temporal's standard variables, `TEMPORAL_ADDRESS` and so on, and the profile file they may name. */
export function readTemporalConfig(
  environment: Readonly<Record<string, string | undefined>>,
): TemporalConfig {
  const set = Object.entries(environment).filter((entry): entry is [string, string] => !!entry[1]);
  const { namespace, connectionOptions } = loadClientConnectConfig({
    overrideEnvVars: Object.fromEntries(set),
  });
  const { address, apiKey, tls, metadata } = connectionOptions;
  return {
    namespace: namespace ?? 'default',
    connection: {
      address: address ?? 'localhost:7233',
      ...(typeof apiKey === 'string' && { apiKey }),
      ...(tls && { tls }),
      ...(metadata && { metadata: metadata as Record<string, string> }),
    },
  };
}

/** The same as a part of a process's configuration. */
export const temporalConfig = z
  .record(z.string(), z.string().optional())
  .transform((environment, context): TemporalConfig => {
    try {
      return readTemporalConfig(environment);
    } catch (error) {
      // What follows the first line quotes the profile file.
      const [reason] = String(error).split('\n');
      context.addIssue({ code: 'custom', path: ['TEMPORAL_*'], message: `cannot be read: ${reason}` });
      return z.NEVER;
    }
  });

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
