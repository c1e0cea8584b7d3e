import { z } from 'zod';
import { variable, variables } from './read-config.ts';

/** Names of this machine, for which browsers trust plain http. */
const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]'];

export const httpAddress = z.url({ protocol: /^https?$/, error: 'must be an http(s) address' });

/** A public address for signing in. */
export const safeAddress = httpAddress
  .transform((text) => new URL(text))
  .refine(
    ({ protocol, hostname }) => protocol === 'https:' || LOOPBACK_HOSTS.includes(hostname),
    'must be an https address; http is allowed only for this machine',
  );

/** DASHBOARD_URL: the dashboard's public address, without a trailing slash. */
export const dashboardUrlConfig = variable(
  'DASHBOARD_URL',
  safeAddress
    .refine(({ href, origin }) => href === `${origin}/`, 'must have no path')
    .transform(({ origin }) => origin)
    .prefault('http://127.0.0.1:3001'),
);

/** The address of the Temporal UI, for links. */
export const temporalUiConfig = variables({
  namespace: ['TEMPORAL_NAMESPACE', z.string().default('default')],
  uiUrl: ['TEMPORAL_UI_URL', httpAddress.optional().transform((url) => url ?? null)],
});
