import { callbackify } from 'node:util';
import { Client, type ClientConfig, type Connection } from 'pg';
import {
  parseDatabaseAddress,
  type DatabaseAddress,
  type DatabaseHost,
} from '../../domain/database-address.ts';

/** Less than a caller waits for its connection: a host that says nothing must not keep the others from being found. */
const LOOK_LIMIT_MS = 1500;

/** What a host says of itself. */
interface Found {
  host: DatabaseHost;
  isReadOnly: boolean;
  /** Higher with every promotion; null on a standby. */
  timeline: string | null;
}

/** None of the servers of DATABASE_URL can be used now; a later look may find one. */
class NoHostError extends AggregateError {
  override readonly name = 'NoHostError';
  /** SQLSTATE `cannot_connect_now`. */
  readonly code = '57P03';
}

/**
 * Which server of DATABASE_URL new connections go to. The driver knows one host; here all are looked at together when none is
 * known to be right: at first, and after a connection to it failed or found a standby. Of two that take writes the one with
 * the higher timeline was promoted later: the other is a former primary that no one has fenced.
 */
export class DatabaseHosts {
  readonly #address: DatabaseAddress;
  #chosen: DatabaseHost | null = null;
  #looking: Promise<DatabaseHost> | null = null;

  constructor(url: string) {
    const address = parseDatabaseAddress(url);
    if (!address) throw new TypeError('not an address of PostgreSQL');
    this.#address = address;
  }

  /** Of any of them: they differ in nothing but the host. */
  get url(): string {
    return this.#address.hosts[0].url;
  }

  /** Whether there is another one to go to when this one takes no writes. */
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

  /** It could not be used: the next connection looks again. */
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
  const standbys = found.map(({ host }) => `${host.name} takes no writes`);
  const said = [
    ...standbys,
    ...failures.map((failure) => (failure instanceof Error ? failure.message : 'unknown')),
  ];
  return new NoHostError(failures, `no server of DATABASE_URL takes writes: ${said.join('; ')}`);
}

async function askHost(host: DatabaseHost): Promise<Found> {
  const client = new Client({
    connectionString: host.url,
    connectionTimeoutMillis: LOOK_LIMIT_MS,
    query_timeout: LOOK_LIMIT_MS,
    application_name: 'host chooser',
  });
  // It may be lost between two questions, which is told to the one that waits.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<Omit<Found, 'host'>>(`
      SELECT
        current_setting('transaction_read_only')::boolean AS "isReadOnly",
        CASE WHEN NOT pg_is_in_recovery() THEN left(pg_walfile_name(pg_current_wal_lsn()), 8) END AS timeline`);
    if (!rows[0]) throw new Error(`${host.name} says nothing`);
    return { host, ...rows[0] };
  } finally {
    await client.end();
  }
}

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
 * A client of the driver that connects to the server that is right now, and has these settings before anyone uses it. They are
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
      // What is lost before someone holds it is told to the one that waits for it.
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
