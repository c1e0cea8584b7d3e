/** One server of DATABASE_URL, with its own URL. */
export interface DatabaseHost {
  /** The name in messages. */
  name: string;
  host: string;
  port: number;
  url: string;
}

/**
 * DATABASE_URL as libpq reads it: one server, or several of which one accepts writes
 * (https://www.postgresql.org/docs/current/libpq-connect.html).
 */
export interface DatabaseAddress {
  hosts: [DatabaseHost, ...DatabaseHost[]];
  /** `read-write`: the primary among the hosts is used. `any`: the first host that responds is used. */
  target: 'any' | 'read-write';
}

const DEFAULT_PORT = '5432';
const TARGETS: Record<string, DatabaseAddress['target']> = {
  any: 'any',
  'read-write': 'read-write',
  primary: 'read-write',
};

const FORM = /^(?<scheme>postgres(?:ql)?:\/\/)(?<account>[^@/?#]*@)?(?<hosts>[^/?#]+)(?<rest>.*)$/;
const HOST = /^(?<host>\[[0-9a-f:.]+\]|[^:[\]\s]+)(?::(?<port>\d{1,5}))?$/i;

/** Parses DATABASE_URL. Null when it is not a PostgreSQL URL; the configuration then reports the problem. */
export function parseDatabaseAddress(text: string): DatabaseAddress | null {
  const { scheme = '', account = '', hosts: list = '', rest = '' } = FORM.exec(text)?.groups ?? {};
  const path = URL.parse(`postgresql://host${rest}`);
  if (list === '' || path === null) return null;
  const target = TARGETS[path.searchParams.get('target_session_attrs') ?? 'any'];
  // Unknown to the driver.
  path.searchParams.delete('target_session_attrs');
  const own = `${path.pathname}${path.search}`;
  const hosts = list.split(',').map((part) => hostOf(part, (name) => `${scheme}${account}${name}${own}`));
  const [first, ...others] = hosts.filter((host) => host !== null);
  if (target === undefined || first === undefined || others.length + 1 !== hosts.length) return null;
  return { hosts: [first, ...others], target };
}

function hostOf(part: string, urlOf: (name: string) => string): DatabaseHost | null {
  const { host, port = DEFAULT_PORT } = HOST.exec(part)?.groups ?? {};
  if (host === undefined || URL.parse(urlOf(part)) === null) return null;
  return {
    name: `${host}:${port}`,
    host: host.replaceAll(/[[\]]/g, ''),
    port: Number(port),
    url: urlOf(`${host}:${port}`),
  };
}

/** The account and password in a URL; null when one is missing. */
export function loginOf(text: string): { name: string; password: string } | null {
  const url = URL.parse(parseDatabaseAddress(text)?.hosts[0].url ?? '');
  if (!url?.username || !url.password) return null;
  return { name: decodeURIComponent(url.username), password: decodeURIComponent(url.password) };
}

/** The servers without account and database, for messages. */
export function hostsOf(url: string): string {
  return (parseDatabaseAddress(url)?.hosts ?? []).map(({ name }) => name).join(', ');
}
