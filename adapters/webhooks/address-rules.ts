/** A range of addresses that no webhook may reach, and why. */
export interface AddressRule {
  cidr: string;
  reason: string;
}

/** The only IPv6 space that IANA hands out as global unicast (RFC 4291 §2.4); all else is refused unseen. */
export const PUBLIC_IPV6 = '2000::/3';

/** IPv4 that is not public: IANA's special-purpose registry (RFC 6890) and one cloud's own address. */
export const REFUSED_IPV4: readonly AddressRule[] = [
  {
    cidr: '0.0.0.0/8',
    reason: 'this host on this network; Linux connects it to loopback (RFC 1122 §3.2.1.3)',
  },
  { cidr: '10.0.0.0/8', reason: 'private network (RFC 1918)' },
  { cidr: '100.64.0.0/10', reason: 'shared carrier space, also one cloud’s metadata service (RFC 6598)' },
  { cidr: '127.0.0.0/8', reason: 'loopback (RFC 1122 §3.2.1.3)' },
  {
    cidr: '168.63.129.16/32',
    reason: 'the platform agent inside every Azure machine, though in public space',
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

/** IPv6 that is not public. Those that carry an IPv4 address inside are refused whatever it is: nobody publishes them. */
export const REFUSED_IPV6: readonly AddressRule[] = [
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
