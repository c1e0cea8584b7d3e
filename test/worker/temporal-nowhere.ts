import { Client } from '@temporalio/client';
import { connectTemporal } from '../../adapters/temporal/connect-temporal.ts';
import { anyPort } from '../../dev/processes/free-port.ts';

export interface TemporalNowhere {
  client: Client;
  close(): Promise<void>;
}

/** A client of a Temporal that is away. */
export async function temporalNowhere(): Promise<TemporalNowhere> {
  const address = `127.0.0.1:${await anyPort('127.0.0.1')}`;
  const temporal = connectTemporal({ namespace: 'default', connection: { address } });
  const { connection, namespace } = temporal;
  return {
    client: new Client({ connection, namespace }),
    async close() {
      await temporal[Symbol.asyncDispose]();
    },
  };
}
