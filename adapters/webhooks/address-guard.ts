import { isIP } from 'node:net';
import { isNativeError } from 'node:util/types';
import ipaddr from 'ipaddr.js';
import { AttemptFailure, isOurFault } from './attempt-failure.ts';
import type { ResolveName } from './resolve-name.ts';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Range = [Address, number];

export type AddressGuard = ReturnType<typeof createAddressGuard>;

/**
 * Decides which addresses webhooks may connect to. Denies by default: an address must be public by the rules below, or
 * in one of the operator's ranges. Checked for every address of a name, and for the peer after connecting
 * (`guarded-connector.ts`).
 * @param allowedCidrs WEBHOOK_ALLOWED_CIDRS
 * @throws for an invalid range
 */
export function createAddressGuard(allowedCidrs: readonly string[]) {
  const exemptions = allowedCidrs.map(parseCidr);
  const isExempt = (text: string) => {
    const address = parseAddress(text);
    return address !== null && exemptions.some((range) => liesIn(address, range));
  };
  return {
    /** Whether the operator's ranges contain the address; only such private addresses may be used in a URL. */
    isExempt,
    /** Why the address is refused, for operators and tests; null when it is allowed. */
    refusalOf: (address: string): string | null => (isExempt(address) ? null : refusalByRule(address)),
  };
}

/** Parses `10.0.0.0/8` or `fd00::/8`; ipaddr.js alone would also accept octal and shortened forms. */
export function parseCidr(cidr: string): Range {
  const [address = '', bits = ''] = cidr.split('/');
  if (!isIP(address) || address.includes('%') || !/^\d{1,3}$/.test(bits) || !ipaddr.isValidCIDR(cidr)) {
    throw new Error(`Not an address range such as 10.0.0.0/8 or fd00::/8: ${JSON.stringify(cidr)}`);
  }
  return ipaddr.parseCIDR(cidr);
}

function parseRule({ cidr, reason }: AddressRule): { range: Range; reason: string } {
  return { range: parseCidr(cidr), reason };
}

function refusalByRule(text: string): string | null {
  const address = parseAddress(text);
  if (!address) return 'not an address';
  const broken = rules[address.kind()].find(({ range }) => liesIn(address, range));
  if (broken) return broken.reason;
  if (address.kind() === 'ipv6' && !liesIn(address, publicIPv6)) return 'not global unicast (RFC 4291 §2.4)';
  return null;
}

/**
 * Parses only the forms that resolvers and sockets use. A zone id (`fe80::1%eth0`) is refused, because it names a local
 * interface.
 */
function parseAddress(text: string): Address | null {
  return isIP(text) === 0 || text.includes('%') ? null : ipaddr.parse(text);
}

function liesIn(address: Address, range: Range): boolean {
  return address.kind() === range[0].kind() && address.match(range);
}

/** A range that webhooks must not reach, with the reason. */
interface AddressRule {
  cidr: string;
  reason: string;
}

/** The only IPv6 space that IANA assigns as global unicast (RFC 4291 §2.4); everything else is refused. */
const PUBLIC_IPV6 = '2000::/3';

/** IPv4 that is not public: IANA's special-purpose registry (RFC 6890) and one cloud's own address. */
const REFUSED_IPV4: readonly AddressRule[] = [
  {
    cidr: '0.0.0.0/8',
    reason: 'this host on this network; Linux connects it to loopback (RFC 1122 §3.2.1.3)',
  },
  { cidr: '10.0.0.0/8', reason: 'private network (RFC 1918)' },
  { cidr: '100.64.0.0/10', reason: 'shared carrier space, also one cloud’s metadata service (RFC 6598)' },
  { cidr: '127.0.0.0/8', reason: 'loopback (RFC 1122 §3.2.1.3)' },
  {
    cidr: '168.63.129.16/32',
    reason: 'public address of the platform agent in every Azure machine',
  },
  { cidr: '169.254.0.0/16', reason: 'link-local, home of cloud metadata services (RFC 3927)' },
  { cidr: '172.16.0.0/12', reason: 'private network (RFC 1918)' },
  { cidr: '192.0.0.0/24', reason: 'protocol assignments, also one cloud’s metadata service (RFC 6890)' },
  { cidr: '192.0.2.0/24', reason: 'documentation, TEST-NET-1 (RFC 5737)' },
  { cidr: '192.31.196.0/24', reason: 'AS112 sink for reverse lookups (RFC 7535)' },
  { cidr: '192.52.193.0/24', reason: 'automatic multicast tunnels (RFC 7450)' },
  { cidr: '192.88.99.0/24', reason: '6to4 relays, withdrawn (RFC 7526)' },
  { cidr: '192.168.0.0/16', reason: 'private network (RFC 1918)' },
  { cidr: '192.175.48.0/24', reason: 'AS112 sink for reverse lookups (RFC 7534)' },
  { cidr: '198.18.0.0/15', reason: 'benchmarks between networks (RFC 2544)' },
  { cidr: '198.51.100.0/24', reason: 'documentation, TEST-NET-2 (RFC 5737)' },
  { cidr: '203.0.113.0/24', reason: 'documentation, TEST-NET-3 (RFC 5737)' },
  { cidr: '224.0.0.0/4', reason: 'multicast (RFC 5771)' },
  { cidr: '240.0.0.0/4', reason: 'reserved, and limited broadcast (RFC 1112 §4, RFC 919)' },
];

/** IPv6 that is not public. Addresses that embed an IPv4 address are always refused: no one publishes them. */
const REFUSED_IPV6: readonly AddressRule[] = [
  { cidr: '::/128', reason: 'unspecified; Linux connects it to loopback (RFC 4291 §2.5.2)' },
  { cidr: '::1/128', reason: 'loopback (RFC 4291 §2.5.3)' },
  { cidr: '::/96', reason: 'IPv4-compatible, withdrawn (RFC 4291 §2.5.5.1)' },
  { cidr: '::ffff:0:0/96', reason: 'IPv4-mapped: reaches the IPv4 address inside (RFC 4291 §2.5.5.2)' },
  { cidr: '::ffff:0:0:0/96', reason: 'IPv4-translated: reaches the IPv4 address inside (RFC 2765)' },
  { cidr: '64:ff9b::/96', reason: 'NAT64: a gateway reaches the IPv4 address inside (RFC 6052)' },
  { cidr: '64:ff9b:1::/48', reason: 'local NAT64: a gateway reaches the IPv4 address inside (RFC 8215)' },
  { cidr: '100::/64', reason: 'discard only (RFC 6666)' },
  { cidr: '2001::/32', reason: 'Teredo: a relay reaches the IPv4 address inside (RFC 4380)' },
  { cidr: '2001::/23', reason: 'protocol assignments: benchmarks, ORCHID, AMT (RFC 2928)' },
  { cidr: '2001:db8::/32', reason: 'documentation (RFC 3849)' },
  { cidr: '2002::/16', reason: '6to4: a relay reaches the IPv4 address inside (RFC 3056)' },
  { cidr: '2620:4f:8000::/48', reason: 'AS112 sink for reverse lookups (RFC 7534)' },
  { cidr: '3ffe::/16', reason: '6bone, returned (RFC 3701)' },
  { cidr: '3fff::/20', reason: 'documentation (RFC 9637)' },
  { cidr: '5f00::/16', reason: 'segment routing (RFC 9602)' },
  { cidr: 'fc00::/7', reason: 'unique local, also one cloud’s metadata service (RFC 4193)' },
  { cidr: 'fe80::/10', reason: 'link-local (RFC 4291 §2.5.6)' },
  { cidr: 'fec0::/10', reason: 'site-local, withdrawn (RFC 3879)' },
  { cidr: 'ff00::/8', reason: 'multicast (RFC 4291 §2.7)' },
];

const publicIPv6 = parseCidr(PUBLIC_IPV6);
const rules = { ipv4: REFUSED_IPV4.map(parseRule), ipv6: REFUSED_IPV6.map(parseRule) };

interface NameLookup {
  guard: AddressGuard;
  resolve: ResolveName;
  timeoutMs: number;
}

/**
 * The addresses of a name, if all are allowed. One forbidden address refuses the name, because an attacker could choose
 * which one is used.
 * @throws AttemptFailure dns_error or blocked_address
 */
export async function permittedAddresses(name: string, lookup: NameLookup): Promise<string[]> {
  const addresses = await resolveInTime(name, lookup);
  if (addresses.length === 0) throw new AttemptFailure('dns_error', 'The host name has no address');
  for (const address of addresses) {
    const refusal = lookup.guard.refusalOf(address);
    if (refusal !== null) throw new AttemptFailure('blocked_address', refusal);
  }
  return addresses;
}

async function resolveInTime(name: string, { resolve, timeoutMs }: NameLookup): Promise<string[]> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new AttemptFailure('dns_error', 'The host name was not resolved in time')),
    timeoutMs,
  );
  try {
    return await Promise.race([resolve(name), late.promise]);
  } catch (error) {
    if (isLocalShortage(error)) throw error;
    throw new AttemptFailure('dns_error', 'The host name could not be resolved', error);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Whether an error is certainly ours, such as too few sockets. All others count as a missing name, because resolvers
 * report it in many ways.
 */
function isLocalShortage(error: unknown): boolean {
  return isNativeError(error) && 'code' in error && isOurFault(error);
}
