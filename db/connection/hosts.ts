import { callbackify } from 'node:util';
import { Client, type ClientConfig, type Connection } from 'pg';
import {
  parseDatabaseAddress,
  type DatabaseAddress,
  type DatabaseHost,
} from '../../domain/database-address.ts';

/**
 * How long to wait for a host's answer. Callers wait longer for a connection, so a host that does not respond cannot
 * hide the others.
 */
const LOOK_LIMIT_MS = 1500;

/** What a host reports about itself. */
interface Found {
  host: DatabaseHost;
  isReadOnly: boolean;
  /** Increases with every promotion; null on a standby. */
  timeline: string | null;
}

/** Thrown when no server of DATABASE_URL can be used now. A later search may find one. */
class NoHostError extends AggregateError {
  override readonly name = 'NoHostError';
  /** SQLSTATE `cannot_connect_now`. */
  readonly code = '57P03';
}

/**
 * Chooses the server of DATABASE_URL for new connections. The driver supports only one host; this class asks all hosts
 * at startup, and again after a connection failed or reached a standby. If two hosts accept writes, the host with the
 * higher timeline was promoted later; the other is an old primary that was not fenced.
 */
export class DatabaseHosts {
  readonly #address: DatabaseAddress;
  #chosen: DatabaseHost | null = null;
  #looking: Promise<DatabaseHost> | null = null;

  constructor(url: string) {
    const address = parseDatabaseAddress(url);
    if (!address) throw new TypeError('not a valid PostgreSQL address');
    this.#address = address;
  }

  /** The URL of any host, for settings that all hosts share. */
  get url(): string {
    return this.#address.hosts[0].url;
  }

  /** Whether a server must accept writes, because there are others to try. */
  get mustWrite(): boolean {
    return this.#address.hosts.length > 1 && this.#address.target === 'read-write';
  }

  async choose(): Promise<DatabaseHost> {
    const { hosts } = this.#address;
    if (hosts.length === 1) return hosts[0];
    if (this.#chosen) return this.#chosen;
    this.#looking ??= this.#look().finally(() => {
      this.#looking = null;
    });
    return this.#looking;
  }

  /** Call this when a host could not be used. The next connection then searches again. */
  leave(host: DatabaseHost): void {
    if (this.#chosen === host) this.#chosen = null;
  }

  async #look(): Promise<DatabaseHost> {
    const { hosts, target } = this.#address;
    const answers = await Promise.allSettled(hosts.map(askHost));
    const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
    const fit = found
      .filter(({ isReadOnly }) => target === 'any' || !isReadOnly)
      .toSorted((one, other) => (other.timeline ?? '').localeCompare(one.timeline ?? ''));
    const [best] = fit;
    if (best === undefined) throw noHost(answers, found);
    this.#chosen = best.host;
    return best.host;
  }
}

function noHost(answers: PromiseSettledResult<Found>[], found: Found[]): NoHostError {
  const failures = answers.flatMap((answer) =>
    answer.status === 'rejected' ? [answer.reason as unknown] : [],
  );
  const standbys = found.map(({ host }) => `${host.name} does not accept writes`);
  const said = [
    ...standbys,
    ...failures.map((failure) => (failure instanceof Error ? failure.message : 'unknown')),
  ];
  return new NoHostError(failures, `no server in DATABASE_URL accepts writes: ${said.join('; ')}`);
}

async function askHost(host: DatabaseHost): Promise<Found> {
  const client = new Client({
    connectionString: host.url,
    connectionTimeoutMillis: LOOK_LIMIT_MS,
    query_timeout: LOOK_LIMIT_MS,
    application_name: 'host chooser',
  });
  // If the connection is lost between two queries, the next query reports it.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<Omit<Found, 'host'>>(`
      SELECT
        current_setting('transaction_read_only')::boolean AS "isReadOnly",
        CASE WHEN NOT pg_is_in_recovery() THEN left(pg_walfile_name(pg_current_wal_lsn()), 8) END AS timeline`);
    if (!rows[0]) throw new Error(`${host.name} does not respond`);
    return { host, ...rows[0] };
  } finally {
    await client.end();
  }
}

/** PostgreSQL reports these at the start of each session. */
const READ_ONLY_STATES = new Set(['in_hot_standby', 'default_transaction_read_only']);

type Connected = (error: Error | null, client: Client) => void;

/** Members of clients that the driver's types omit. */
interface Inner {
  host: string;
  port: number;
  connection: Connection;
}

/**
 * A client that connects to the currently chosen server and has these settings before it is used. They are sent with
 * `SET` in one round trip, because poolers refuse or ignore startup parameters.
 * @param settings names and values in SQL syntax
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
      // If the connection is lost before it is used, its first query reports it.
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

/** The server is no longer the primary. */
class ReadOnlyServerError extends Error {
  override readonly name = 'ReadOnlyServerError';
  /** SQLSTATE `read_only_sql_transaction`. */
  readonly code = '25006';

  constructor(host: string) {
    super(`${host} no longer accepts writes`);
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
 * Detects within half a minute that the server has disappeared. By default, TCP sends its first probe after two hours.
 */
export const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 };

/** A single connection outside every pool. */
export function newClient(hosts: DatabaseHosts, config: ClientConfig): Client {
  return new (clientOfHosts(hosts))({ ...KEEP_ALIVE, ...config });
}

/** Runs `work` on its own connection. */
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

/** The single value that a statement returns; null without a row. */
export async function answerOf<Value>(client: Client, text: string, ...values: unknown[]) {
  const { rows } = await client.query<[Value]>({ text, values, rowMode: 'array' });
  return rows[0]?.[0] ?? null;
}
