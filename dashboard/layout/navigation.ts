import { mayUse, type Permission, type Rights } from '../../domain/people/roles.ts';
import type { Section } from './words.ts';

export interface NavigationGroup {
  /** The heading of the group; null when it has none. */
  title: Section | null;
  links: readonly { section: Section; address: string; may: Permission }[];
}

const GROUPS: readonly NavigationGroup[] = [
  {
    title: null,
    links: [
      { section: 'overview', address: '/', may: 'overview' },
      { section: 'appointments', address: '/appointments', may: 'appointments' },
      { section: 'blocks', address: '/blocks', may: 'appointments' },
      { section: 'calls', address: '/calls', may: 'calls' },
    ],
  },
  {
    title: 'integrations',
    links: [
      { section: 'keys', address: '/integrations/keys', may: 'keys' },
      { section: 'endpoints', address: '/integrations/endpoints', may: 'webhooks' },
      { section: 'deliveries', address: '/integrations/deliveries', may: 'webhooks' },
      { section: 'notices', address: '/integrations/notices', may: 'webhooks' },
      { section: 'requests', address: '/integrations/requests', may: 'keys' },
    ],
  },
  {
    title: 'settings',
    links: [
      { section: 'clinic', address: '/settings', may: 'settings' },
      { section: 'hours', address: '/settings/hours', may: 'settings' },
      { section: 'receptionist', address: '/settings/receptionist', may: 'settings' },
      { section: 'booking', address: '/settings/booking', may: 'settings' },
      { section: 'team', address: '/settings/professionals', may: 'settings' },
      { section: 'services', address: '/settings/services', may: 'settings' },
      { section: 'audit', address: '/settings/audit', may: 'audit' },
      { section: 'reads', address: '/settings/reads', may: 'settings' },
      { section: 'sessions', address: '/settings/sessions', may: 'settings' },
    ],
  },
  {
    title: null,
    links: [
      { section: 'search', address: '/support', may: 'support' },
      { section: 'clinics', address: '/support/clinics', may: 'support' },
      { section: 'stuck', address: '/support/stuck', may: 'support' },
      { section: 'undelivered', address: '/support/given-up', may: 'support' },
    ],
  },
];

/** The navigation for a person; empty groups are left out. */
export function navigationFor(rights: Rights): NavigationGroup[] {
  return GROUPS.map((group) => ({
    ...group,
    links: group.links.filter(({ may }) => mayUse(rights, may)),
  })).filter(({ links }) => links.length > 0);
}

/** The first page for a person: someone with a portal link who may read nothing can still add an endpoint. */
export function homeOf(rights: Rights): string {
  return navigationFor(rights)[0]?.links[0]?.address ?? '/integrations/endpoints/new';
}

/** Whether a link points to the page or its parent. */
export function isCurrent(linkAddress: string, pageAddress: string): boolean {
  const path = pageAddress.split('?')[0] ?? '';
  if (path === linkAddress) return true;
  const isTop = ['/', '/settings', '/support'].includes(linkAddress);
  return !isTop && path.startsWith(`${linkAddress}/`);
}

/** The addresses of appointments and deliveries for a person; null without access. */
export function placesFor(rights: Rights): { appointments: string | null; deliveries: string | null } {
  if (mayUse(rights, 'support'))
    return { appointments: '/support/appointments', deliveries: '/support/deliveries' };
  return {
    appointments: mayUse(rights, 'appointments') ? '/appointments' : null,
    deliveries: mayUse(rights, 'webhooks') ? '/integrations/deliveries' : null,
  };
}
