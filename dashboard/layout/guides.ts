/** The guide that is about a page, by how its address begins; the longest beginning counts. */
export const GUIDES: Readonly<Record<string, string | null>> = {
  '/appointments': 'appointments',
  '/patients': 'appointments#patients-of-yours',
  '/blocks': 'availability#busy-blocks',
  '/calls': 'calls',
  '/integrations/keys': 'keys-and-scopes',
  '/integrations/requests': 'errors',
  '/integrations/endpoints': 'webhooks',
  '/integrations/deliveries': 'webhooks#when-deliveries-fail',
  '/integrations/notices': 'webhooks#notices',
  '/settings': 'clinic-settings',
  '/settings/booking': 'self-service',
  '/settings/professionals': 'professionals',
  '/settings/services': 'professionals',
  '/settings/audit': null,
  '/settings/sessions': null,
  '/settings/reads': null,
  '/support': 'webhooks#when-deliveries-fail',
};

/** Its name and heading; null: none is about the page. */
export function guideFor(address: string): string | null {
  const path = address.split('?')[0] ?? '';
  const [beginning] = Object.keys(GUIDES)
    .filter((each) => path === each || path.startsWith(`${each}/`))
    .toSorted((one, other) => other.length - one.length);
  return beginning === undefined ? null : (GUIDES[beginning] ?? null);
}
