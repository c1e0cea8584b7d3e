import { type TLSConfig, Client, Connection } from '@temporalio/client';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import { z } from 'zod';

/** Temporal's address and our credentials, in the form that every kind of connection accepts. */
export interface TemporalConfig {
  namespace: string;
  connection: {
    address: string;
    apiKey?: string;
    tls?: TLSConfig | boolean;
    metadata?: Record<string, string>;
  };
}

/** Temporal's standard variables, such as `TEMPORAL_ADDRESS`, and the profile file that they may name. */
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

/** Temporal's settings as a part of a process's configuration. */
export const temporalConfig = z
  .record(z.string(), z.string().optional())
  .transform((environment, context): TemporalConfig => {
    try {
      return readTemporalConfig(environment);
    } catch (error) {
      // The rest of the message quotes the profile file.
      const [reason] = String(error).split('\n');
      context.addIssue({ code: 'custom', path: ['TEMPORAL_*'], message: `cannot be read: ${reason}` });
      return z.NEVER;
    }
  });

const CONNECT_LIMIT = '5 seconds';
const CALL_LIMIT_MS = 5000;

export type Temporal = ReturnType<typeof connectTemporal>;

/**
 * A client for processes that rarely use Temporal; workers have their own kind of connection. Connects at the first
 * call, so a process can start while Temporal is unavailable.
 */
export function connectTemporal({ namespace, connection: options }: TemporalConfig) {
  const connection = Connection.lazy({ ...options, connectTimeout: CONNECT_LIMIT });
  const client = new Client({ connection, namespace });
  const asked = new Set<Promise<unknown>>();
  return {
    namespace,
    connection,
    /** Every call in `work` fails after five seconds instead of waiting for an unavailable server. */
    ask<T>(work: (client: Client) => Promise<T>): Promise<T> {
      const answer = client.withDeadline(Date.now() + CALL_LIMIT_MS, () => work(client));
      asked.add(answer);
      const forget = () => void asked.delete(answer);
      answer.then(forget, forget);
      return answer;
    },
    async [Symbol.asyncDispose](): Promise<void> {
      // A retry on a closed connection would end the process.
      await Promise.allSettled(asked);
      await connection.close();
    },
  };
}
