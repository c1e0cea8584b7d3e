import { z } from 'zod';

/** Hosts that are this machine, where a browser trusts plain http. */
const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]'];

/** An address over which people sign in. */
export const safeAddress = z
  .url({ protocol: /^https?$/, error: 'must be an http(s) address' })
  .transform((text) => new URL(text))
  .refine(
    ({ protocol, hostname }) => protocol === 'https:' || LOOPBACK_HOSTS.includes(hostname),
    'must be an https address: plain http is for this machine alone',
  );

/** DASHBOARD_URL: where people reach the dashboard; without a slash at the end. */
export const dashboardUrlConfig = z
  .object({
    DASHBOARD_URL: safeAddress
      .refine(({ href, origin }) => href === `${origin}/`, 'must have no path')
      .prefault('http://127.0.0.1:3001'),
  })
  .transform((variables) => variables.DASHBOARD_URL.origin);
