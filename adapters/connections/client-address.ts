import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import proxyaddr from 'proxy-addr';

/** An entry as proxies write it: bare, or with a port, or as a bracketed IPv6 address with or without one. */
const ENTRY = /^(?:\[([^\]]+)\](?::\d+)?|((?:\d+\.){3}\d+):\d+|(\S+))$/;
/** What every customer has at least to himself. */
const IPV6_NETWORK_BITS = 64;

/**
 * The address whose limit a request counts against: an IPv4 address, or the network of an IPv6 one. Each trusted proxy has added the address it was called from at the right end of
 * X-Forwarded-For; what stands further left is the client's own word.
 */
export function clientAddress(
  request: IncomingMessage,
  trustedHops: number,
  ipv6Bits = IPV6_NETWORK_BITS,
): string {
  // The nearest first: the socket, then what each proxy says.
  const path: (string | undefined)[] = proxyaddr.all(request, (_, hop) => hop < trustedHops);
  const networks = path.map((entry) => networkOf(entry ?? '', ipv6Bits));
  const unreadable = networks.indexOf(null);
  // A proxy that does not say whom it speaks for stands for all its clients.
  return (unreadable === -1 ? networks.at(-1) : networks[unreadable - 1]) ?? 'unknown';
}

/** An address as limits count it, or null where the text is none. */
export function networkOf(entry: string, ipv6Bits = IPV6_NETWORK_BITS): string | null {
  const [, bracketed, withPort, bare] = ENTRY.exec(entry) ?? [];
  const text = bracketed ?? withPort ?? bare ?? '';
  if (!ipaddr.IPv6.isValid(text) && !ipaddr.IPv4.isValidFourPartDecimal(text)) return null;
  const address = ipaddr.process(text);
  return address instanceof ipaddr.IPv6 ? networkOfIpv6(address, ipv6Bits) : address.toString();
}

function networkOfIpv6(address: ipaddr.IPv6, bits: number): string {
  const withoutZone = address.toString().replace(/%.*$/, '');
  const network = ipaddr.IPv6.networkAddressFromCIDR(`${withoutZone}/${bits}`);
  return `${network.toString()}/${bits}`;
}
