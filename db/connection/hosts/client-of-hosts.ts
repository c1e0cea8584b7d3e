import { callbackify } from 'node:util';
import { Client, type ClientConfig, type Connection } from 'pg';
import type { DatabaseHosts } from './database-hosts.ts';

/** PostgreSQL says so of each session as it begins, without being asked. */
const READ_ONLY_STATES = new Set(['in_hot_standby', 'default_transaction_read_only']);

type Connected = (error: Error | null, client: Client) => void;

/** What the types of the driver leave out of its clients. */
interface Inner {
  host: string;
  port: number;
  connection: Connection;
}

/**
 * A client of the driver that connects to the server that is right now, and has these settings before anybody uses it. They are
 * set by `SET`, in one round trip: poolers refuse or ignore what is asked for as a session begins.
 * @param settings their names and values as SQL writes them
 */
export function clientOfHosts(hosts: DatabaseHosts, settings: Record<string, string> = {}): typeof Client {
  const toSet = Object.entries(settings).map(([name, value]) => `SET ${name} = ${value}`);
  return class ClientOfHosts extends Client {
    constructor(config: ClientConfig = {}) {
      super({ ...config, connectionString: hosts.url });
    }

    override connect(): Promise<Client>;
    override connect(callback: Connected): void;
    override connect(callback?: Connected): Promise<Client> | void {
      if (!callback) return this.#connect();
      callbackify(() => this.#connect())(callback);
    }

    async #connect(): Promise<Client> {
      const chosen = await hosts.choose();
      const inner = this as unknown as Inner;
      [inner.host, inner.port] = [chosen.host, chosen.port];
      const refusal = refusalOfWrites(inner.connection);
      // What is lost before somebody holds it is told to the one that waits for it.
      this.on('error', () => undefined);
      try {
        await super.connect();
        if (hosts.mustWrite && refusal.isOn()) throw new ReadOnlyServerError(chosen.name);
        if (toSet.length > 0) await this.query(toSet.join('; '));
        return this;
      } catch (error) {
        hosts.leave(chosen);
        void this.end().catch(() => undefined);
        throw error;
      }
    }
  };
}

/** The server that was primary is one no more. */
class ReadOnlyServerError extends Error {
  override readonly name = 'ReadOnlyServerError';
  /** SQLSTATE `read_only_sql_transaction`. */
  readonly code = '25006';

  constructor(host: string) {
    super(`${host} takes no writes any more`);
  }
}

function refusalOfWrites(connection: Connection): { isOn(): boolean } {
  const on = new Set<string>();
  connection.on('parameterStatus', ({ parameterName, parameterValue }: Record<string, string>) => {
    if (READ_ONLY_STATES.has(parameterName ?? '') && parameterValue === 'on') on.add(parameterName ?? '');
  });
  return { isOn: () => on.size > 0 };
}

/**
 * Finds out within half a minute that the server is gone without a word. By default the first probe would go out after two hours, and a
 * connection that only listens sends nothing else.
 */
export const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 };

/** A connection by itself, beside every pool. */
export function newClient(hosts: DatabaseHosts, config: ClientConfig): Client {
  return new (clientOfHosts(hosts))({ ...KEEP_ALIVE, ...config });
}

/** Runs `work` over a connection of its own, which ends with it. */
export async function withClient<T>(
  hosts: DatabaseHosts,
  config: ClientConfig,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = newClient(hosts, config);
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end();
  }
}

/** What a statement returns that returns one value; null without a row. */
export async function answerOf<Value>(client: Client, text: string, ...values: unknown[]) {
  const { rows } = await client.query<[Value]>({ text, values, rowMode: 'array' });
  return rows[0]?.[0] ?? null;
}
