import type { TLSConfig } from '@temporalio/client';
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
