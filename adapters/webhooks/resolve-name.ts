import { readFile } from 'node:fs/promises';
import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { isErrorCode } from '../error-code.ts';

/** Every address of a name. Throws when it has none. */
export type ResolveName = (name: string) => Promise<string[]>;

/** Two tries of 1.5 s per name server: a later answer would leave too little time for the attempt. */
const DNS_OPTIONS = { timeout: 1_500, maxTimeout: 1_500, tries: 2 };

/** How long to wait for the other address family after the first (RFC 8305, section 3). */
const RESOLUTION_DELAY_MS = 50;

/**
 * Creates the resolver: `localhost` (RFC 6761), then the hosts file, then DNS. It does not use `getaddrinfo`, which
 * runs on two threads per process: two names with silent servers would delay every clinic's deliveries.
 * @param dnsServers `address[:port]`; the machine's own by default
 */
export function createNameResolver({
  hostsFile = '/etc/hosts',
  dnsServers,
}: { hostsFile?: string; dnsServers?: string[] } = {}): ResolveName {
  return async (name) => {
    const bare = name.toLowerCase().replace(/\.$/, '');
    if (bare === 'localhost' || bare.endsWith('.localhost')) return ['127.0.0.1', '::1'];
    const local = addressesIn(await readIfPresent(hostsFile), bare);
    return local.length > 0 ? local : resolveByDns(bare, dnsServers);
  };
}

async function resolveByDns(name: string, dnsServers: string[] | undefined): Promise<string[]> {
  // A new resolver per name uses the machine's current name servers.
  const resolver = new Resolver(DNS_OPTIONS);
  if (dnsServers) resolver.setServers(dnsServers);
  const questions = [resolver.resolve4(name), resolver.resolve6(name)];
  const all = Promise.allSettled(questions);
  // Some name servers drop all IPv6 questions.
  const enough = Promise.any(questions).then(
    () => pause(RESOLUTION_DELAY_MS),
    () => all,
  );
  await Promise.race([all, enough]);
  resolver.cancel();
  const results = await all;
  const addresses = results.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (addresses.length > 0) return addresses;
  const reasons = results.map((answer) => (answer.status === 'rejected' ? answer.reason : null));
  throw new AggregateError(reasons, 'The host name has no address');
}

function addressesIn(hosts: string, name: string): string[] {
  const entries = hosts.split('\n').map((line) => line.replace(/#.*/, '').trim().split(/\s+/));
  const matching = entries.filter(([, ...names]) => names.some((known) => known.toLowerCase() === name));
  return matching.flatMap(([address = '']) => (isIP(address) ? [address] : []));
}

async function readIfPresent(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (isErrorCode(error, 'ENOENT')) return '';
    throw error;
  }
}
