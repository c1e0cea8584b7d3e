import type { View } from '../layout/view.ts';

/** The lists that can be downloaded, each at `<its address>/csv`. */
const CSV_LISTS = [
  '/appointments',
  '/calls',
  '/integrations/deliveries',
  '/integrations/requests',
  '/settings/audit',
] as const;
export type CsvAddress = (typeof CSV_LISTS)[number];

/** The address for downloading the page's list with its filters; null when the page has no list. */
export function csvAddress({ address }: Pick<View, 'address'>): string | null {
  const [path = '', asked = ''] = address.split('?');
  if (!CSV_LISTS.some((list) => list === path)) return null;
  const query = new URLSearchParams(asked);
  query.delete('cursor');
  return `${path}/csv${query.size > 0 ? `?${query.toString()}` : ''}`;
}
