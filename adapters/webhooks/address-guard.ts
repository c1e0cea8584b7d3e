import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { PUBLIC_IPV6, REFUSED_IPV4, REFUSED_IPV6, type AddressRule } from './address-rules.ts';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Range = [Address, number];

export type AddressGuard = ReturnType<typeof createAddressGuard>;

/**
 * Decides which addresses a webhook may connect to. Denies by default: an address passes when it lies in one of the operator's ranges or is
 * known to be public (`address-rules.ts`). Asked for every address of a name, and for the peer once connected (`guarded-connector.ts`).
 * @param allowedCidrs WEBHOOK_ALLOWED_CIDRS
 * @throws when a range cannot be read
 */
export function createAddressGuard(allowedCidrs: readonly string[]) {
  const exemptions = allowedCidrs.map(parseCidr);
  const isExempt = (text: string) => {
    const address = parseAddress(text);
    return address !== null && exemptions.some((range) => liesIn(address, range));
  };
  return {
    /** Whether the operator let the address through by name of its range; only these may be written in a URL. */
    isExempt,
    /** Why the address may not be connected to, for operators and tests; null when it may. */
    refusalOf: (address: string): string | null => (isExempt(address) ? null : refusalByRule(address)),
  };
}

/** Reads `10.0.0.0/8` or `fd00::/8`; ipaddr.js alone would also take octal and shortened spellings. */
export function parseCidr(cidr: string): Range {
  const [address = '', bits = ''] = cidr.split('/');
  if (!isIP(address) || address.includes('%') || !/^\d{1,3}$/.test(bits) || !ipaddr.isValidCIDR(cidr)) {
    throw new Error(`Not an address range such as 10.0.0.0/8 or fd00::/8: ${JSON.stringify(cidr)}`);
  }
  return ipaddr.parseCIDR(cidr);
}

const publicIPv6 = parseCidr(PUBLIC_IPV6);
const rules = { ipv4: REFUSED_IPV4.map(parseRule), ipv6: REFUSED_IPV6.map(parseRule) };

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

/** Only the plain forms that resolvers and sockets speak; a zone id (`fe80::1%eth0`) names a link of this machine. */
function parseAddress(text: string): Address | null {
  return isIP(text) === 0 || text.includes('%') ? null : ipaddr.parse(text);
}

function liesIn(address: Address, range: Range): boolean {
  return address.kind() === range[0].kind() && address.match(range);
}
