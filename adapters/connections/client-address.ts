import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import proxyaddr from 'proxy-addr';

/** An entry as proxies write it: an address with or without port, IPv6 in brackets. */
const ENTRY = /^(?:\[([^\]]+)\](?::\d+)?|((?:\d+\.){3}\d+):\d+|(\S+))$/;
/** The smallest IPv6 network that a provider assigns to a customer. */
const IPV6_NETWORK_BITS = 64;

/**
 * The address that limits count: an IPv4 address, or the network of an IPv6 one. Each trusted proxy appends the address
 * of its caller to X-Forwarded-For; entries further left come from the client.
 */
export function clientAddress(
  request: IncomingMessage,
  trustedHops: number,
  ipv6Bits = IPV6_NETWORK_BITS,
): string {
  // Nearest first: the socket, then each proxy's entry.
  const path: (string | undefined)[] = proxyaddr.all(request, (_, hop) => hop < trustedHops);
  const networks = path.map((entry) => networkOf(entry ?? '', ipv6Bits));
  const unreadable = networks.indexOf(null);
  // A proxy without a readable entry stands for all its clients.
  return (unreadable === -1 ? networks.at(-1) : networks[unreadable - 1]) ?? 'unknown';
}

/** The address or network that limits count; null when the address is invalid. */
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
